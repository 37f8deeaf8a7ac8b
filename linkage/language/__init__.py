"""What depends on a language: its words, in tables."""

from linkage.language.pack import Cue as Cue
from linkage.language.pack import CuePlace as CuePlace
from linkage.language.pack import Language as Language
from linkage.language.particles import ParticleUse as ParticleUse
from linkage.language.patterns import Meaning as Meaning
from linkage.language.patterns import Place as Place
