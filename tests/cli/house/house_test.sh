#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The house rules a machine can check: what the target's side includes (for the rest: rooms.txt), licences, what documents
# name, contracts of headers, file sizes.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root"
status=0
fault() { echo "$1"; status=1; }

# What each folder may include, by the first part of the path: the target's side shares nothing but the layout.
allowed() {
  case $1 in
    instrument/events) echo 'base layout' ;;
    instrument/wrapper) echo 'base probes' ;;
    instrument/pass) echo 'layout facts' ;;
    instrument/pass/facts) echo 'pass' ;;
    instrument/runtime) echo 'layout annotate' ;;
  esac
}
for folder in instrument/events instrument/pass instrument/pass/facts instrument/runtime instrument/wrapper; do
  may=$(allowed "$folder")
  for file in "$folder"/*.c "$folder"/*.h "$folder"/*.cpp "$folder"/*/*.h "$folder"/*/*.cpp; do
    [ -e "$file" ] || continue
    for included in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file"); do
      case $included in
        profiles/layout.inc|instrument/events/resources.def|instrument/events/library_work.def|instrument/events/fixed_work.def) part=layout ;;
        instrument/events/probes.h) part=probes ;;
        instrument/include/scale/annotate.h) part=annotate ;;
        llvm/*) part=llvm ;;
        instrument/pass/facts/facts.h) part=facts ;;
        instrument/pass/*) part=pass ;;
        */*) part=${included%%/*} ;;
        *) [ -e "${file%/*}/$included" ] && continue; part=$included ;;
      esac
      [ "${folder#instrument/pass}" != "$folder" ] && [ "$part" = llvm ] && continue
      case " $may " in
        *" $part "*) ;;
        *) case $folder/$included in
             instrument/*) [ -e "$included" ] && [ "${included#"$folder"/}" != "$included" ] && continue ;;
             *) [ -e "$included" ] || continue ;; # generated into the build tree
           esac
           fault "$file includes \"$included\": $folder may include only: $may" ;;
      esac
    done
  done
done

# Every source file says its licence in its first two lines; what enters the target, or the kernel, is MIT.
for file in $(find profiles regress transitions runner instrument tests -name '*.[ch]' -o -name '*.cpp' -o -name '*.inc' \
              -o -name '*.def' -o -name '*.sh' -o -name CMakeLists.txt -o -name '*.cmake' -o -name '*.rng'); do
  case $file in
    profiles/layout.inc|instrument/runtime/*.[ch]|instrument/runtime/*.def|instrument/harness/*.[ch]|instrument/defer/*.c|instrument/include/*|\
      instrument/attach/count.*|instrument/attach/happened.h|instrument/attach/consumed.h) want=MIT ;;
    *) want=GPL-3.0-or-later ;;
  esac
  head -n 3 "$file" | grep -q "SPDX-License-Identifier: $want" || fault "$file: the first lines lack 'SPDX-License-Identifier: $want'"
done

# The package says so, too.
set -f
free=$(sed -n '/^Files:$/,/^Copyright:/s/^ //p' debian/copyright)
for file in $(grep -rl --include='*.[ch]' --include='*.inc' 'SPDX-License-Identifier: MIT' profiles instrument); do
  known=no
  for pattern in $free; do
    case $file in $pattern) known=yes ;; esac
  done
  [ $known = yes ] || fault "$file: debian/copyright does not say that it is MIT"
done
set +f

# What documents name of the sources is there.
for name in $(grep -ohE '`(profiles|regress|transitions|runner|instrument|tests)/[a-z_0-9/.]+`' docs/*.md CONTRIBUTING.md | tr -d '`' | sort -u); do
  [ -e "$name" ] || [ "$name" = runner/page/page.html ] || fault "the documents name $name, which is not there"
done
for name in $(grep -ohE '`sc_[a-z_0-9]+`' docs/*.md CONTRIBUTING.md | tr -d '`' | sort -u); do
  grep -rqw --include='*.[ch]' "$name" profiles regress transitions runner instrument || fault "the documents name $name, which is not there"
done
names=$(git ls-files 2>/dev/null | sed 's,.*/,,') # nothing to compare with outside a checkout
for name in $(grep -ohE '`[a-z_0-9.]+[.](c|cpp|h|def|inc|py|sh|txt)`' docs/*.md CONTRIBUTING.md | tr -d '`' | sort -u); do
  [ -z "$names" ] || echo "$names" | grep -qxF "$name" || fault "the documents name a file $name, which is not there"
done

# Links lead to files and headings that are there.
slugs() { sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'; }
for document in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md; do
  for link in $(grep -oE '\]\([^): ]+\)' "$document" | sed 's/^](//; s/)$//' | sort -u); do
    path=${link%%#*}
    [ -n "$path" ] && path=${document%"${document##*/}"}$path || path=$document
    [ -e "$path" ] || { fault "$document links to $link, which is not there"; continue; }
    case $link in *.md'#'*|'#'*) slugs "$path" | grep -qxF "${link#*#}" || fault "$document links to $link: no such heading" ;; esac
  done
done

# Contracts, and small files: the median of the sources is at most 300 lines, and none runs away.
sizes=$(find profiles regress transitions runner instrument -name '*.[ch]' -o -name '*.cpp' | xargs wc -l | sed '/total$/d' | sort -n)
median=$(echo "$sizes" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
[ "$median" -le 300 ] || fault "the median source file has $median lines"
python3 "$root/tests/cli/house/contracts.py" . || status=1
echo "$sizes" | awk '$1 > 600 { print $2 ": " $1 " lines"; bad = 1 } END { exit bad }' || status=1
exit $status
