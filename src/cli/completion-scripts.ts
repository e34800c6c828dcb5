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
  local word line directive=4 joining=0 last=-1 current=\${COMP_WORDS[COMP_CWORD]}
  local -a words
  # bash splits --flag=value at the equals sign.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $word == '=' && $last -ge 0 ]]; then
      words[last]+='='
      joining=1
    elif [[ $joining == 1 ]]; then
      words[last]+=$word
      joining=0
    else
      last=$((last + 1))
      words[last]=$word
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :[0-9]* ]]; then directive=\${line#:}; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null)
  if [[ $directive == 0 ]]; then
    [[ $current == '=' ]] && current=
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _kubectl_grpc_skew kubectl-grpc_skew
`;

const zsh = `#compdef kubectl-grpc_skew
# Completion of kubectl-grpc_skew in zsh: source <(kubectl grpc-skew completion zsh), after compinit
# For \`kubectl grpc-skew\`: kubectl grpc-skew completion kubectl
_kubectl_grpc_skew() {
  local line directive=4
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
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
    set -l lead (string match -r -- '^--[^=]+=' $current)
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
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

/** The script that sets completion up in a shell; all of them ask `grpc-skew __complete` what may come next. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
