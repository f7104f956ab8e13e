"""Published instances, downloaded from the sites of their libraries into the user's cache.

A file is known by the SHA-256 of what it says, not of its bytes: it is decompressed, and white space between words
becomes one blank, because sites differ in line ends and compression.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from metaheur.device.host.library import make_private
from metaheur.errors import InputError
from metaheur.machine.cache import cache_folder
from metaheur.problems.formats.files import file_of, read_bytes

__all__ = ["NAMES", "fetch"]

_SITES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(  # asked one after the other
    {
        "qaplib": (
            "https://www.opt.math.tugraz.at/qaplib/data.d",
            "https://coral.ise.lehigh.edu/wp-content/uploads/2014/07/data.d",
        ),
        "tsplib": ("http://comopt.ifi.uni-heidelberg.de/software/TSPLIB95",),
        "gset": ("https://web.stanford.edu/~yyye/yyye/Gset",),
        "orlib": ("https://people.brunel.ac.uk/~mastjjb/jeb/orlib/files",),
    }
)
_CHECKSUMS: Final = """
qaplib/bur26a.dat 5a0a83f0e38e94d3bd52228979571946337ca5470df407fc41caa7e078b4eb14
qaplib/chr12a.dat edd221fc3fac77e340ae4f13ae1bbf54958867bfce4aed8f29b4d9112f04eee0
qaplib/esc16a.dat a608d90019977f448ddf06eb667f4804a0d83fd32a7d4cc329ded7f61b0eea77
qaplib/kra30a.dat 77a9300ab0348e63219234a5c75f9c5952d3dccdb70ae10cdcaaaa2800f8908a
qaplib/lipa20a.dat f935e069867278d985e6a49967f98c1c10d7fb8bbfa8f92b7eb1baf75a4dd7fd
qaplib/nug12.dat 009873ced049c52af8f5265e905646c593e0c49c7e0000612e9838fe3fd5dcf7
qaplib/nug20.dat ab3d07d027efc20d991ab271ae08e18b51a3b679ca40c436a015014330af2ea1
qaplib/nug30.dat 39bee796f7a47e4907d590fba160d61a00f04aaf0305f71027adb4ea3f50d470
qaplib/sko42.dat ff0d0bc67bbb02e48fffe97c624d7ebc28978a24a09bb92cd43319e88d649850
qaplib/ste36a.dat 254dd78dc1b392da6982d17956ff3cb7fe000a21d3b37c38f1078861f6415e46
qaplib/tai12a.dat 432c5b7758d23cf26a22d9f727ca4e172e8e0c83dc220ca6f17ad566d91d6522
qaplib/tai15a.dat 2d32e9c8012dbf57110ae2f1079484235a9a39f4c275fc9bf5cf9fbb167998ee
qaplib/tai17a.dat fbbe0e1d7758148422fdd0044707caef8260f303324b656b7d16e3c5007dec6f
qaplib/tai20a.dat eeaa645d717be0ceecce94506da56d0cfd41d4c9a396396379bdf289fc36dd19
qaplib/tai20b.dat fa5480fef57aed473d7f57740cbe7c940409555604a92e7cc7031efabc16ccec
qaplib/tai25a.dat 2eeb2b02006f837241f43fca4dc28bbc5d6fab2fb2962f9e09401692b1344a9f
qaplib/tai30a.dat 0b1d9c9c1594a9a0721ea2b189f361411dd5542e3f3560e98539ed603d9205d8
qaplib/tai30b.dat 9bf0f974219614ff5d6c4446ff8ebd7cf163ea75a0b6dda24159db41df77f422
qaplib/tai35a.dat 05c1f11adfef90b49b68ffa9853a9ac9ee144fa60e25991b47c6a3e6357525df
qaplib/tai40a.dat b1a89b36a48b8e4e727c2989183f915da0e8f9d5d40c5afb7d6fc4d27138a2db
qaplib/tai50a.dat 5d6c7dfe2da19d707c277bfcf3a7ddc27385262c66a25db7fdc16c2e78ee3e74
qaplib/tai50b.dat 0d521c7f2971bfda82e8db80688922bc21d646401321fef3af46c8bf4c4dbd13
qaplib/tai60a.dat f99e61df6069559599556e6adf152eec37fcca3c6f1efdea8a7d16fa68155f23
qaplib/tai64c.dat b0f04bca9bb31c0b4e4b099a988f7264a1f6c36e9af514cc860a490d76134563
qaplib/tai80a.dat 12e81b04665c8d3c8c63fa3e087b6ee1fa1dabeff6b886db328eaaf8b5db1281
qaplib/tai80b.dat 7655b684ab9c6163a35b291d3cab5e3b30234a158ac05e87bd89bb65e4d4e8ed
qaplib/tai100a.dat d80fa8de7559cf558b3cf25b37aae950630d010c64ef67b6cfe41786be2876de
qaplib/tai100b.dat 4e205cb35364d9d21f90bc3093d54f96c35f5882a6c150df1a00e817cf4e93ac
qaplib/tai150b.dat 41c1781b49d46a6cd198c931bec9b26cdbe8ef4ed96ae74b46b005dfc1efcd1a
qaplib/tai256c.dat d1fc855c4d72c0297c90138d1da780a88b9562fa466a9901041dc40c6c6a57cb
tsplib/att48.tsp.gz c81fc0d1082a35947bace7beb991f15535ba7a13fb96f7042b3b8825e7e59fdc
tsplib/att532.tsp.gz b38947ba648a8069dad1b6b261daeefefa940a04ff443f47b3204e0f48c7bf8a
tsplib/bayg29.tsp.gz 98281a2e14ae60915c6e9e8f22f3bf31ab98e1b24a978b2adba878d9ab51719a
tsplib/berlin52.tsp.gz fb82c4e660bef0652fd83ba03a2d2cf07828bcd90ddb34e9f886e2f031057128
tsplib/br17.atsp.gz c35279c50a3485d5d84fa7271b8e3f24a6155b717ea560dbc5174ded9c57ba71
tsplib/burma14.tsp.gz b7b862ffa17ebd8239bd110e218a4d7c980209593f9bdaabf765b34d1cbbe8aa
tsplib/d198.tsp.gz aa0abe4465e383c7e5a5b6691dae58a713ccb2886737233ab7a2189f14c0e048
tsplib/d1291.tsp.gz 40c684d105d7561538636694e9032bc1158cbc82df8da295b4186b918da59ec5
tsplib/dsj1000.tsp.gz 8f98bb88a1bad3ff34757f975b12a8bf4759fec2712abcb6e0a0d2b20cbf145e
tsplib/eil51.tsp.gz 69bcc3f6c3595a44f2d00f6e1c50f904c8831dae761b71cafe440ca9f5d57c7b
tsplib/eil76.tsp.gz d6d555722db13be18ac0716efdd7b4f230a051e9024306cd0dc41402a95da17b
tsplib/eil101.tsp.gz b793e649d493ef266e923ecfd6bac344bc224ce536463a35184ff899e901a7a3
tsplib/fl1577.tsp.gz 8deca83b4c7239440a585f92aecb90b73897324fe664a831a62d3a499fcb761f
tsplib/fnl4461.tsp.gz 27a39e5be2781776fbf35d62e26783bdd4b54c0b26dedcd80efa03a00608f141
tsplib/ft53.atsp.gz 525251313d54469629e3b6aeba36d90d18361e65b0b663af2869a3cefc4ba655
tsplib/ftv33.atsp.gz cff4ae4d09036c998c5d3bbf9af3c9e3edf4fbad9e2b93c8c5de9e78d94add16
tsplib/gr17.tsp.gz 82efe62e503447e9d7d14f8ac1d29ea119efa3698632fb12f6d45f6b7d69ec83
tsplib/gr21.tsp.gz 9ab54a74da91804c8a39573cd4fccb4db22dfd290a61663b33a46d9e9ca3a031
tsplib/gr48.tsp.gz 4a3e955db5f38bd7d71d9bc20cedb470115bcb0ddea314437df81d16b488ff50
tsplib/kroA100.tsp.gz d5fc1e710ee93274da50a64618b224327a44e33bc0a13784858e2d5f57436a56
tsplib/lin318.tsp.gz ad02b261422b1e79764fcfb6b3eb59bbfd80e0d4d4e6dd72b3b08185d8bc5426
tsplib/pcb442.tsp.gz 9ed98eb9ac5b0bdeb793da4c6f1ef449c139c6fec9ce1bd942f4a9e24f95050e
tsplib/pcb1173.tsp.gz 3586e5165bf59a88a2c68eee57a5f65870b23dbe435532979ee25fd62fd4f70c
tsplib/pcb3038.tsp.gz 1b94304893e0b009306e13be58167457027a3b688e3a327358bd9a617e2ede00
tsplib/pr2392.tsp.gz 477977ec2c59ea6d7d619cb932b7f371e5e1b8abcb29885b6e03c43eb0c6420c
tsplib/rat783.tsp.gz 40a91b642dfbcb5637ecde45f0ca77295136b77d301e32aff01e8b580e17a45a
tsplib/rd400.tsp.gz 4c58324aae86beccb609ab3b4483e1a1a3ef21de0216690b770d37e0fb3234c0
tsplib/rl5915.tsp.gz 24b10d0b78c13e511f95ddf87f53f330f29b455c572bcc15fb83123bf7f7224a
tsplib/st70.tsp.gz 3fb1281253bef6becc05e8e5bd3d4bee81efff1ee70c3f8b3d5d0a609a6cabc6
tsplib/swiss42.tsp.gz cca9e2a44486175ee191395305f41f41d4f97194bab8a78050129ace93763c84
tsplib/ulysses22.tsp.gz 63e494048daacd70e26d056f848c160cf3f24c816947c1de169401bf26db1710
tsplib/usa13509.tsp.gz ea60df4e3b2144432df38ef1e85d5a329ffff04156c62add2473400ff61e0093
gset/G1 d478e100fccb96c00e8b70a7303ee6d88cf58935ce097a8bc0b41c0fd9c09a26
gset/G2 d2e358faabdee38ba2c5171ab185f064d2da6e1b054c7020132d1db462059f33
gset/G6 531d73a39db044ad5414ebe1dd3fbe98d835eccb0c441bde5d645ceb82cdeee3
gset/G14 b218347cb03954796ee7e359ec2494d9fec2799f821ef9b39f7bb4583b2d5662
gset/G22 0f4cdf85870a8394bad36dfdefabdad4fc73ad8e2234457e22dacb1fa5b7778b
gset/G32 95cd70cd0242aa0406eed99aa5eeac7d18175c58f20390217fc89fc955499a06
gset/G43 577bcffc5756175a4ab6613082d2ecf25d02bfda1faf3197931557481a6642d1
gset/G51 d5de587ea0a1b46da3b5b85ada0975bf108304fcf081f2ab1eed1d17dc7e9847
orlib/bqp50.txt 3c2a0774f33eea6ae37436e0e714f3e4f098bd47be4cac1d6a068eee73a2b017
orlib/bqp100.txt 1709334ad1cee2580698144747593c56dad155d45ede764aeb0572b29892c76c
orlib/bqp250.txt a40a549610b0700bacd2c391b8a86cc5342f9a798ece74bb489131935c255b83
orlib/mknap1.txt b5b150829aed826a9b5f11ea267dbb3ef383d2801341508110539db7d54c430b
orlib/mknapcb1.txt 5346b9f2a17bf4aaa48135a09d1bd726e321265256f3947e6a0c724e166adb57
orlib/mknapcb4.txt aaf84f159246387a183ebfdf3f288b0bae1615f5f7eb1bafb4c68b4f294974ad
orlib/mknapcb7.txt abaf262c98069b01a28c49718a4b0ea462b55e11b71ae3b2a6a611bf971bee51
"""
_FILES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        file.split(".")[0]: (file, checksum)
        for file, checksum in (line.split() for line in _CHECKSUMS.strip().splitlines())
    }
)

_SHORT: Final[Mapping[str, str]] = MappingProxyType({name.split("/")[1]: name for name in _FILES})

NAMES: Final = tuple(_FILES)
"""The names that `fetch` knows, as "qaplib/tai100a"."""


def fetch(name: str, *, base_url: str | None = None, folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of a published instance, downloaded if it is not in the cache yet.

    A file in the cache is checked again; one that is damaged is downloaded again.

    Parameters
    ----------
    name : str
        One of `NAMES`, as "qaplib/tai100a", "tsplib/usa13509", "gset/G1" or "orlib/mknapcb1"; or without the library.
    base_url : str, optional
        A mirror, asked instead of the library's own site for <base_url>/qaplib/tai100a.dat and the like; by default
        $METAHEUR_MIRROR, if it is set.
    folder : path-like, optional
        The cache; by default the folder instances in $METAHEUR_CACHE, or in metaheur in the user's cache folder.

    Returns
    -------
    Path
        The file as the site has it: TSPLIB's are compressed, and the readers decompress them.

    Raises
    ------
    InputError
        If an argument is not as described; if the file must be downloaded, but `pooch` is not installed, no site
        answers, its file has another checksum, or the cache cannot be written.
    """
    if not isinstance(name, str) or (name := _SHORT.get(name, name)) not in _FILES:
        close = get_close_matches(str(name), [*NAMES, *_SHORT], 3)
        raise InputError(
            f"`name` must be one of metaheur.problems.fetching.NAMES, but is {name!r}.",
            f"you mean {' or '.join(map(repr, close))}." if close else "look at NAMES, which `metaheur fetch` lists.",
        )
    if base_url is not None and not isinstance(base_url, str):
        raise InputError(f"`base_url` must be an address, but is {base_url!r}.", "use one such as 'https://...'.")
    file, checksum = _FILES[name]
    target = (cache_folder() / "instances" if folder is None else file_of(folder, "folder")) / file
    if _checksum(target) == checksum:
        return target
    urls = _addresses(file, base_url or os.environ.get("METAHEUR_MIRROR"))
    try:
        pooch: Any = import_module("pooch")
    except ImportError:
        raise InputError(
            f"{name} is not in the cache yet, and downloading it needs pooch, which is not installed.",
            f"run: pip install 'metaheur[data]'; or download {urls[0]} to {target}.",
        ) from None
    if folder is None:
        with suppress(OSError):  # the download says so
            make_private(cache_folder())
    failures = []
    for url in urls:
        failure = _download(pooch, url, target, checksum)
        if not failure:
            return target
        failures.append(failure)
    raise InputError(
        f"{name} cannot be downloaded: {'; '.join(failures)}.",
        f"you are offline, or the site has moved: name a mirror by base_url or $METAHEUR_MIRROR, or put the file at "
        f"{target}.",
    )


def _addresses(file: str, mirror: str | None) -> list[str]:
    """Where a file can be had: from the mirror, or from the sites of its library."""
    if mirror:
        return [f"{mirror.rstrip('/')}/{file}"]
    library, path = file.split("/")
    if library == "tsplib":
        path = f"{path.split('.')[1]}/{path}"  # tsp/..., atsp/...
    return [f"{site}/{path}" for site in _SITES[library]]


def _download(pooch: Any, url: str, target: Path, checksum: str) -> str:
    """Try one address and return what went wrong, or "" if the file is in its place now."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".download-") as folder:
            partial = Path(folder) / target.name
            pooch.HTTPDownloader()(url, str(partial), None)
            found = _checksum(partial)
            if found != checksum:
                return f"{url} has another content: its checksum is {found or 'none'}, not {checksum}"
            partial.replace(target)
    except (OSError, ValueError) as error:  # what requests raises is an OSError
        return f"{url}: {error}"
    return ""


def _checksum(path: Path) -> str:
    """SHA-256 of the words in a file, decompressed and joined by blanks; "" if it cannot be read."""
    try:
        content = read_bytes(path)
    except InputError:
        return ""
    return hashlib.sha256(b" ".join(content.split())).hexdigest()
