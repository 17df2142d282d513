# Finds the program that the project has installed, or installs one outside of the project.
set -euo pipefail

reject() {
  echo "::error title=Assay::$1"
  exit 2
}

installed_in_project() {
  local folder=$PWD
  while [ ! -x "$folder/node_modules/.bin/assay" ]; do
    if [ "$folder" = "$GITHUB_WORKSPACE" ] || [ "$folder" = / ]; then return 1; fi
    folder=$(dirname "$folder")
  done
  echo "$folder/node_modules/.bin/assay"
}

node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
  reject "Assay needs Node 20.19 or later. Add actions/setup-node before this action."

if [ -z "$VERSION" ] && program=$(installed_in_project); then
  echo "Using the assay of the project: $("$program" --version)"
else
  case ${VERSION:=latest} in
    *.tgz)
      [ -f "$VERSION" ] || reject "The input \`version\` names a file that does not exist. Paths start at the input \`working-directory\`."
      package=file:$(cd "$(dirname "$VERSION")" && pwd)/$(basename "$VERSION")
      ;;
    # Anything else, such as a URL, could be another package.
    *[!A-Za-z0-9.^~\<\>=\|*\ +-]*) reject "The input \`version\` must be a version, tag or range of assay on npm, or the path of a .tgz file." ;;
    *) package=assay@$VERSION ;;
  esac
  folder=$(mktemp -d "$RUNNER_TEMP/assay-program.XXXXXX")
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error -- "$package"
  program=$folder/node_modules/.bin/assay
  echo "Installed assay: $("$program" --version)"
fi
printf 'program=%s\n' "$program" >> "$GITHUB_OUTPUT"
