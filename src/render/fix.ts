/** The change for one Service: as text for people, or its manifests alone. */
import type { Fix } from '../fix/fix.ts';
import type { Step } from '../fix/parts.ts';
import type { Precondition } from '../report/advice.ts';
import { firstLines } from './advice.ts';
import { command, heading, labelled, labelledList, type Screen } from './lines.ts';
import { sanitise } from './sanitise.ts';
import { screenOn, type Terminal } from './screen.ts';
import type { ColorFlag } from './style.ts';
import { yamlOf } from './yaml.ts';

export function renderFix(fix: Fix, color: ColorFlag, terminal: Terminal): string {
  return `${fixLines(screenOn(terminal, color), fix).join('\n')}\n`;
}

/** `-o yaml`: nothing but the manifests, for kubectl. */
export function renderManifests(fix: Fix): string {
  const { service, namespace, strategy } = fix;
  const apply = fix.apply === null ? ' a server-side apply in the context that was looked at' : `\n#   ${fix.apply}`;
  const head = `# ${strategy} for service ${namespace}/${service}. Printed, not applied: pipe it into${apply}\n# (objects that exist already are named with their changed fields alone; --dry-run=server only checks)\n`;
  if (fix.manifests.length === 0) return `# ${strategy} for service ${namespace}/${service}: no manifest to apply\n`;
  return head + manifestText(fix);
}

function manifestText(fix: Fix): string {
  return fix.manifests.map((manifest) => yamlOf(manifest)).join('---\n');
}

/** All of it as lines; code and manifests are never wrapped, so that they can be copied. */
function fixLines(screen: Screen, fix: Fix): string[] {
  return [
    ...titleLines(screen, fix),
    ...labelled(screen, { label: 'for', text: `service ${fix.service} in ${fix.namespace}` }),
    ...standingLines(screen, fix),
    ...changeLines(screen, fix),
  ];
}

function titleLines(screen: Screen, { title, strategy }: Fix): string[] {
  return labelled(screen, {
    label: 'fix',
    labelTone: 'strong',
    text: `${title} (${strategy})`,
    tone: 'strong',
    right: { text: 'printed, not applied', tone: 'dim' },
  });
}

function standingLines(screen: Screen, fix: Fix): string[] {
  return [
    ...labelled(screen, { label: '', text: fix.standing }),
    ...firstLines(screen, { first: fix.first.map(sanitise), commands: [...fix.commands] }),
    ...labelledList(screen, 'because', fix.because.map(sanitise)),
    ...labelledList(screen, 'against', fix.against.map(sanitise)),
  ];
}

/** For somebody in a hurry: what is not met, the change itself, and only then the rest, in the order of `fixLines`. */
export function changeFirstLines(screen: Screen, fix: Fix, preconditions: readonly Precondition[]): string[] {
  const of = (wanted: Precondition['status']) =>
    preconditions.flatMap(({ text, status }) => (status === wanted ? [sanitise(text)] : []));
  const [change, steps] = changeParts(screen, fix);
  return [
    ...titleLines(screen, fix),
    ...labelledList(screen, 'NOT MET', of('failed'), 'strong'),
    ...change,
    ...(change.length === 0 ? [] : ['']),
    ...labelledList(screen, 'not known', of('unknown')),
    ...standingLines(screen, fix),
    ...noteLines(screen, fix),
    ...steps,
  ];
}

/** The change alone, without what the diagnosis says to it. */
export function changeLines(screen: Screen, fix: Fix): string[] {
  const [change, steps] = changeParts(screen, fix);
  return [...noteLines(screen, fix), ...change, ...steps];
}

function noteLines(screen: Screen, { notes, options }: Fix): string[] {
  return [
    ...labelledList(screen, 'note', notes.map(sanitise)),
    ...options.flatMap(({ title, texts }) => labelledList(screen, title, texts)),
  ];
}

/** What is to be changed; what is done with it. */
function changeParts(screen: Screen, fix: Fix): readonly [change: string[], steps: string[]] {
  const change = [
    ...(fix.manifests.length === 0 ? [] : block(screen, 'MANIFESTS', manifestText(fix))),
    ...fix.code.flatMap(({ title, text }) => block(screen, `CODE: ${title}`, text)),
  ];
  const steps = [
    ...stepLines(screen, 'STEPS, in this order', fix.steps),
    ...stepLines(screen, 'UNDO', fix.undo),
    ...stepLines(screen, 'PROOF', fix.proof),
  ];
  return [change, steps];
}

function block(screen: Screen, title: string, text: string): string[] {
  return [...heading(screen, title), ...text.trimEnd().split('\n')];
}

function stepLines(screen: Screen, title: string, steps: readonly Step[]): string[] {
  if (steps.length === 0) return [];
  return [
    ...heading(screen, title),
    ...steps.flatMap((step, at) => [
      ...labelled(screen, { label: String(at + 1).padStart(2), text: sanitise(step.text) }),
      ...(step.command === null ? [] : command(screen, step.command)),
    ]),
  ];
}
