"""The verbs of the vault service for output folders of runs."""

from pathlib import Path

from pseudonymizer.policy import Verb
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.vault import folders
from pseudonymizer.vault.remote import folder_messages as m
from pseudonymizer.vault.remote.messages import Nothing, OfProject, path_text
from pseudonymizer.work_files.sealing import FolderKeys


@serve(m.FOLDER_KEYS, Verb.PSEUDONYMIZE)
def folder_keys(session: Session, asked: m.OfFolder) -> FolderKeys:
    place = Path(path_text(asked.place))
    wanted = folders.AskedFolder(asked.folder_id, place, asked.is_new, is_remote=True)
    return folders.folder_keys(session.vault, asked.project, wanted)


@serve(m.SETTLE_FOLDER, Verb.PSEUDONYMIZE)
def settle_folder(session: Session, asked: m.SettleFolder) -> Nothing:
    folders.settle_remote(session.vault, asked.project, asked.folder_id, asked.version, asked.forgotten)
    return Nothing()


@serve(m.OUTPUT_FOLDERS, Verb.ERASE)
def output_folders(session: Session, asked: OfProject) -> tuple[m.SentFolder, ...]:
    return tuple(map(m.SentFolder.of, session.vault.output_folders(asked.project)))


@serve(m.GIVE_UP_FOLDERS, Verb.ERASE)
def give_up_folders(session: Session, asked: m.GiveUpFolders) -> int:
    return session.vault.give_up_folders(
        project=asked.project, folders=asked.folders, purpose=asked.purpose, ticket=asked.ticket
    )
