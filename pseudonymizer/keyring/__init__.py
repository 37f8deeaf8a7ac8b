"""Key providers: where the key-encryption key comes from. The stores never hold it."""

from pseudonymizer.keyring.local import (
    EnvironmentKey,
    FileKey,
    LocalKek,
    MountedSecretKey,
    PassphraseKey,
)
from pseudonymizer.keyring.protocol import KeyEncryptionKey, KeyProvider
from pseudonymizer.keyring.recovery import RecoveryKey, RecoveryPublicKek, new_recovery_key

FileKeyring = FileKey

__all__ = [
    "EnvironmentKey",
    "FileKey",
    "FileKeyring",
    "KeyEncryptionKey",
    "KeyProvider",
    "LocalKek",
    "MountedSecretKey",
    "PassphraseKey",
    "RecoveryKey",
    "RecoveryPublicKek",
    "new_recovery_key",
]
