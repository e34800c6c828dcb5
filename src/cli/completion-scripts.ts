/** What `grpc-skew completion` prints a script for; `kubectl` is the file that kubectl itself runs. */
export const shells = ['kubectl', 'bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const kubectl = `#!/bin/sh
# kubectl runs this file, from PATH, for the completion of \`kubectl grpc-skew\`. Save it in a folder on PATH as
# kubectl_complete-grpc_skew and make it executable; the shell needs kubectl's own completion.
exec kubectl-grpc_skew __complete "$@"
`;

const bash = `# Completion of kubectl-grpc_skew in bash: source <(kubectl grpc-skew completion bash)
# For \`kubectl grpc-skew\`: kubectl grpc-skew completion kubectl
_kubectl_grpc_skew() {
  local word lead value plain joining=0 last=-1 current=\${COMP_WORDS[COMP_CWORD]}
  local -a words found
  # bash splits words at the equals sign of --flag=value, at colons and at the sign @.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -ge 0 && $word =~ ^[=:@]+$ ]]; then
      words[last]+=$word
      joining=1
    elif [[ $joining == 1 ]]; then
      words[last]+=$word
      joining=0
    else
      last=$((last + 1))
      words[last]=$word
    fi
  done
  # What it completes is behind the last of those signs; what is before is there already.
  [[ $current =~ ^[=:@]+$ ]] && current=
  lead=\${words[last]%"$current"}
  [[ $lead == --*=* ]] && lead=\${lead#*=}
  # Of them the sign @ alone is put in anew.
  lead=\${lead%@}
  _kubectl_grpc_skew_plain "$lead"
  lead=$plain
  COMPREPLY=()
  # A quotation that begins within a word: what would be put in has no right place.
  [[ \${current//\\\\?/} == ?*[\\'\\"]* ]] && return
  for word in "\${!words[@]}"; do
    _kubectl_grpc_skew_plain "\${words[word]}"
    words[word]=$plain
  done
  while IFS= read -r word; do
    found+=("\${word%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" __complete-raw "\${words[@]}" 2>/dev/null)
  last=$((\${#found[@]} - 1))
  [[ $last -ge 0 ]] || return
  if [[ \${found[last]} == ':0' ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
    return
  fi
  # Names may hold what a shell would run: each is put in as it is to be typed.
  for value in "\${found[@]:0:last}"; do
    value=\${value#"$lead"}
    case $current in
      \\'*) value=\${value//\\'/\\'\\\\\\'\\'} ;;
      \\"*)
        # Within such quotes an exclamation mark cannot be kept from the history.
        [[ $value == *!* ]] && continue
        value=\${value//\\\\/\\\\\\\\}
        value=\${value//\\"/\\\\\\"}
        value=\${value//\\$/\\\\\\$}
        value=\${value//\\\`/\\\\\\\`}
        ;;
      *) printf -v value %q "$value" ;;
    esac
    COMPREPLY+=("$value")
  done
}
# What a word of the line stands for, as \`plain\`: without quotes and backslashes. Nothing of it is run.
_kubectl_grpc_skew_plain() {
  local rest=$1 quote= sign
  plain=
  while [[ -n $rest ]]; do
    sign=\${rest:0:1}
    rest=\${rest:1}
    if [[ $sign == "$quote" ]]; then
      quote=
    elif [[ $sign == \\\\ && $quote != \\' ]]; then
      plain+=\${rest:0:1}
      rest=\${rest:1}
    elif [[ -z $quote && $sign == [\\'\\"] ]]; then
      quote=$sign
    else
      plain+=$sign
    fi
  done
}
complete -F _kubectl_grpc_skew kubectl-grpc_skew
`;

const zsh = `#compdef kubectl-grpc_skew
# Completion of kubectl-grpc_skew in zsh: source <(kubectl grpc-skew completion zsh), after compinit
# For \`kubectl grpc-skew\`: kubectl grpc-skew completion kubectl
_kubectl_grpc_skew() {
  local line directive=4
  local -a found
  # Names may hold what a shell would run: _describe quotes what it puts in, and takes a backslash for a sign of its own.
  for line in "\${(@f)$("\${words[1]}" __complete-raw "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    line=\${line//\\\\/\\\\\\\\}
    if [[ $line == :<-> ]]; then
      directive=\${line#:}
    elif [[ $line == *$'\\t'* ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    elif [[ -n $line ]]; then
      found+=("\${line//:/\\\\:}")
    fi
  done
  # The value alone is completed in --flag=value.
  [[ $PREFIX == --*=* ]] && compset -P '*='
  if [[ $directive == 0 ]]; then _files; else _describe completion found; fi
}
compdef _kubectl_grpc_skew kubectl-grpc_skew
`;

const fish = `# Completion of kubectl-grpc_skew in fish: kubectl grpc-skew completion fish | source
# For \`kubectl grpc-skew\`: kubectl grpc-skew completion kubectl
function __kubectl_grpc_skew
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l typed (string unescape -- $current; or echo $current)
    set -l lead (string match -r -- '^--[^=]+=' $current)
    for line in ($words[1] __complete-raw $words[2..-1] "$typed" 2>/dev/null)
        if test "$line" = ':0'
            for path in (__fish_complete_path (string replace -- "$lead" '' $current))
                printf '%s\\n' "$lead$path"
            end
        else if not string match -qr '^:\\d+$' -- $line
            printf '%s\\n' "$lead$line"
        end
    end
end
complete -c kubectl-grpc_skew -f -a '(__kubectl_grpc_skew)'
`;

const scripts: Readonly<Record<Shell, string>> = { kubectl, bash, zsh, fish };

/**
 * The script that sets completion up in a shell. kubectl's own asks `grpc-skew __complete` what may come next, by its
 * protocol; the others ask `__complete-raw` and quote what they put in.
 */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
