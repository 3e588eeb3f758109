#!/bin/sh
# The QGIS tests in a newer QGIS than the system's: that of another Debian release, in a folder.
#
#   tests/qgis/newer.sh test FOLDER RELEASE [arguments of pytest]
#   tests/qgis/newer.sh clean FOLDER
#
# RELEASE is a release by its name (trixie), its backports (trixie-backports), or testing.
#
# Whatever runs in the folder does so in a namespace of its own. What is mounted there (/proc, and
# memory as /dev/shm; nothing of this machine) goes when the namespace ends, however it ends, and is
# never seen outside: a recursive removal of the folder finds empty folders there. It is refused all
# the same while anything is mounted below.
set -eu

action=$1
mkdir -p "$2"
folder=$(realpath "$2")

inside() {
    unshare --mount --propagation private --pid --fork --kill-child -- sh -euc '
        mount -t proc proc "$1/proc"
        mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
        folder=$1; shift
        exec chroot "$folder" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive PIP_CERT="$CERTIFICATES" SSL_CERT_FILE="$CERTIFICATES" CI="${CI:-}" "$@"
    ' inside "$folder" "$@"
}

clean() {
    case $folder in */qgis-*) ;; *) echo "$folder does not look like one of these folders."; exit 1 ;; esac
    if grep -qF " $folder/" /proc/self/mountinfo; then
        echo "Something is mounted below $folder: unmount it first. Nothing was removed."
        exit 1
    fi
    rm -rf --one-file-system -- "$folder"
}

make_system() {
    release=$1
    base=${release%-backports}
    echo "Installing Debian $release with its QGIS into $folder (once; ten minutes and 4 GB) ..."
    clean
    mkdir -p "$folder"
    unshare --mount --propagation private --pid --fork --kill-child --mount-proc -- \
        debootstrap --variant=minbase "$base" "$folder" >/dev/null
    [ "$base" = "$release" ] || sed "s/ $base / $release /" "$folder/etc/apt/sources.list" \
        >"$folder/etc/apt/sources.list.d/backports.list"
    printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"  # packages start no services
    chmod 755 "$folder/usr/sbin/policy-rc.d"
    connect
    inside sh -euc '
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 -t "$1" \
            qgis xvfb xauth python3-venv >/dev/null
        apt-get clean' install "$release"
    touch "$folder/.made"
}

connect() {  # with the names, certificates and way to packages that this machine knows
    rm -f "$folder/etc/resolv.conf"
    cp /etc/resolv.conf "$folder/etc/"
    mkdir -p "$folder/etc/ssl/certs"
    [ ! -e /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$folder$CERTIFICATES"
    apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until)' >"$folder/etc/apt/apt.conf.d/50machine" || true
}

CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
export CERTIFICATES

case $action in
clean)
    clean
    ;;
test)
    release=$3
    shift 3
    [ -e "$folder/.made" ] || make_system "$release"
    connect
    rm -rf --one-file-system "$folder/geodp"
    mkdir "$folder/geodp"
    tar --exclude='./.?*' --exclude=./dist -cf - . | tar -xf - -C "$folder/geodp"
    inside sh -euc '
        cd /geodp
        if [ ! -e /tests/made ]; then
            python3 -m venv --system-site-packages /tests
            /tests/bin/pip install --quiet "pytest>=8.2"
            /tests/bin/pip install --quiet --target /tests/qt6 PyQt6
            touch /tests/made
        fi
        sum=$(sha256sum pyproject.toml)
        if [ "$(cat /library/made-for 2>/dev/null)" != "$sum" ]; then
            python3 -m venv /library
            /library/bin/pip install --quiet --only-binary :all: --no-binary geodp ".[plots]"
            /library/bin/pip uninstall --quiet --yes geodp
            printf %s "$sum" >/library/made-for
        fi
        echo "=== The plugin in QGIS" $(dpkg-query -f "\${Version}" -W qgis) "==="
        export GEODP_PYTHON=/library/bin/python GEODP_QT6=/tests/qt6 QT_QPA_PLATFORM=offscreen
        exec /tests/bin/python -m pytest -c tests/qgis/pytest.ini "$@"
    ' tests "$@"
    ;;
esac
