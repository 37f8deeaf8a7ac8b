"""A client of a nymlink service: pseudonyms in place of names, and the names back."""

from nymlink_client.answers import Failure as Failure
from nymlink_client.answers import FoundMention as FoundMention
from nymlink_client.answers import FoundText as FoundText
from nymlink_client.answers import FoundTexts as FoundTexts
from nymlink_client.answers import KindInUse as KindInUse
from nymlink_client.answers import LabelCounts as LabelCounts
from nymlink_client.answers import ProfileShown as ProfileShown
from nymlink_client.answers import ProjectShown as ProjectShown
from nymlink_client.answers import PseudonymizedText as PseudonymizedText
from nymlink_client.answers import PseudonymizedTexts as PseudonymizedTexts
from nymlink_client.answers import ReplacedSpan as ReplacedSpan
from nymlink_client.answers import RestoredText as RestoredText
from nymlink_client.answers import StyleShown as StyleShown
from nymlink_client.errors import AccessRefusedError as AccessRefusedError
from nymlink_client.errors import BusyError as BusyError
from nymlink_client.errors import InsecureAddressError as InsecureAddressError
from nymlink_client.errors import NotFoundError as NotFoundError
from nymlink_client.errors import NymlinkError as NymlinkError
from nymlink_client.errors import ServiceFailedError as ServiceFailedError
from nymlink_client.errors import UnreachableError as UnreachableError
from nymlink_client.errors import UntreatedTextError as UntreatedTextError
from nymlink_client.errors import WrongRequestError as WrongRequestError
from nymlink_client.project import AsyncProject as AsyncProject
from nymlink_client.project import Project as Project
from nymlink_client.streams import RestoringStream as RestoringStream
