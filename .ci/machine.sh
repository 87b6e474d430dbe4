# What `.ci/run` asks of the machine: its Pythons, another user, packages. Sourced, not run.

# The Pythons that are fit, one path a line, oldest first.
pythons() {
    local path
    {
        compgen -c python3 | grep -E '^python3(\.[0-9]+)?$' | sort -u | while read -r path; do command -v "$path"; done
        ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3 2>/dev/null
    } | while read -r path; do
        "$path" -c 'import ensurepip, sys; sys.version_info >= (3, 11) and print("%d.%d.%d" % sys.version_info[:3], sys.argv[1])' \
            "$path" 2>/dev/null
    done | sort -V | cut -d' ' -f2-
}

# The name of a user who is not us, made where we may.
other_user() {
    local name=rulespec-ci
    [ "$(id -u)" = 0 ] || return 1
    id "$name" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$name" >/dev/null 2>&1 || return 1
    echo "$name"
}

# Runs a command as a user.
as() {
    local user=$1
    shift
    if [ "$user" = "$(id -un)" ]; then "$@"; else runuser -u "$user" -- "$@"; fi
}

# The folders of our PATH that a user can look into.
path_of() {
    local folder found=
    while IFS= read -r -d: folder; do
        [ -n "$folder" ] && as "$1" test -x "$folder" && as "$1" test -r "$folder" && found+=${found:+:}$folder
    done <<<"$PATH:"
    echo "$found"
}

# A command that asks a server for something: once more where it fails.
again() {
    "$@" || { sleep 10; "$@"; }
}

# Sees to it that one of some commands is there, by a package of Debian where it may: package NAME COMMAND...
package() {
    local name=$1 command
    shift
    for command in "$@"; do command -v "$command" >/dev/null && return 0; done
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        again apt-get -qq update && again apt-get -qq install --yes --no-install-recommends "$name" >/dev/null && return 0
    fi
    echo "None of $* is here, and the package $name cannot be installed." >&2
    return 1
}

# Sees to it that the fonts are there which the pictures of the docs were taken with.
letters() {
    [ -n "$(find /usr/share/fonts -name LiberationSans-Regular.ttf 2>/dev/null)" ] && return
    [ "$(id -u)" = 0 ] && again apt-get -qq install --yes --no-install-recommends fonts-liberation fonts-dejavu-core >/dev/null && return
    echo 'The fonts of the pictures are not here: packages fonts-liberation and fonts-dejavu-core.' >&2
}

# The settings by which this machine reaches registries of packages, as NAME=VALUE without blanks.
registries() {
    env | grep -E '^(PIP_[A-Z_]+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|npm_config_[a-z_]+|UV_[A-Z_]+|(https?|no)_proxy|(HTTPS?|NO)_PROXY)=[^[:space:]]*$'
}
