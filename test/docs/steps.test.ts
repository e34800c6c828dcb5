/** The steps of the page on the architecture, gone through in a copy of the sources: they are enough, and all are needed. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEvidence, dealt, pods } from '../diagnose/build.ts';

const run = promisify(execFile);

/** The files of `src/` that the numbered steps of a section name. */
function filesOfSteps(title: string): string[] {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const steps = section.split(/^(?=\d+\. )/m).slice(1);
  const last = steps.pop()?.split('\n\n')[0] ?? '';
  return [...[...steps, last].join('').matchAll(/`(src\/[\w/-]+\.ts)`/gi)].map((match) => match[1] ?? '').sort();
}

type Edit = readonly [before: string | RegExp, after: string];

/** What is changed, by file: new text, or what stands in the place of what. */
interface Change {
  readonly title: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string | readonly Edit[]>>;
  /** Of the Service that is diagnosed, where the changed program is to say something. */
  readonly labels: Readonly<Record<string, string>>;
  /** Prints, as JSON, what it says. */
  readonly program: string;
  readonly says: unknown;
}

const fromHere = `import { diagnose } from './src/diagnose.ts';
import { explain } from './src/explain/explain.ts';
import evidence from './NAME.json' with { type: 'json' };
const { status } = diagnose(evidence, { clients: 'third-party' }).value;
`;

/** What the API answers: of it, the names are kept and nothing else. */
const budgets = [{ metadata: { name: 'calm', annotations: { secret: 'x' } } }, { metadata: {} }];

const signal: Change = {
  title: 'To add a signal',
  name: 'disruption-budgets',
  labels: {},
  files: {
    'src/evidence/signal-ids.ts': [["  'siblings',", "  'siblings',\n  'disruption-budgets',"]],
    'src/signals/NAME/ask.ts': `import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects } from '../objects.ts';

export function askBudgets(kube: KubeClient, namespace: string, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/apis/policy/v1', resource: 'poddisruptionbudgets', namespace }, signal);
}
`,
    'src/signals/NAME/read.ts': `import { textAt } from '../read/json.ts';

export const readBudgets = (items: readonly unknown[]): string[] =>
  items.flatMap((item) => textAt(item, 'metadata', 'name') ?? []);
`,
    'src/signals/NAME/look.ts': `import type { KubeList, KubeResult } from '../../kube/types.ts';
import { type SignalUpdate, unanswered } from '../look.ts';
import { complete } from '../state.ts';
import { readBudgets } from './read.ts';

export function lookAtBudgets(answer: KubeResult<KubeList>): SignalUpdate {
  if (!answer.ok) return unanswered('disruption-budgets', answer.error);
  const disruptionBudgets = readBudgets(answer.value.items);
  return {
    patch: { disruptionBudgets },
    state: complete('disruption-budgets', answer.serverDate),
    progress: ['disruption-budgets', 'done', disruptionBudgets.join(', ')],
  };
}
`,
    'src/signals/catalogue.ts': [
      [
        "  {\n    id: 'prometheus',",
        `  {
    id: 'disruption-budgets',
    question: 'How many pods may go at once?',
    source: 'The budgets of the namespace.',
    fallback: [],
    rights: ['list poddisruptionbudgets.policy'],
    settles: 'how fast a drain goes',
  },
  {
    id: 'prometheus',`,
      ],
    ],
    'src/evidence/schema.ts': [
      [
        '    autoscalers: Type.Optional(',
        '    disruptionBudgets: Type.Optional(Type.Array(Type.String())),\n    autoscalers: Type.Optional(',
      ],
    ],
    'src/evidence/vocabulary.ts': [['\na a66', '\npoddisruptionbudgets a a66']],
    'src/collect/cluster.ts': [
      [
        'import { askEndpointSlices',
        `import { askBudgets } from '../signals/disruption-budgets/ask.ts';
import { lookAtBudgets } from '../signals/disruption-budgets/look.ts';
import { askEndpointSlices`,
      ],
      [
        '  const autoscalersAnswer =',
        '  const budgetsAnswer = askBudgets(kube, namespace, signal);\n  const autoscalersAnswer =',
      ],
      [
        '    autoscalersAnswer.then(',
        '    budgetsAnswer.then((found) => note(lookAtBudgets(found))),\n    autoscalersAnswer.then(',
      ],
    ],
    'src/kube/recorded.ts': [["    'ingresses',\n", "    'ingresses',\n    'poddisruptionbudgets',\n"]],
    'src/watch/state.ts': [
      ["  ['siblings', 'siblings'],\n", "  ['siblings', 'siblings'],\n  ['disruption-budgets', 'budgets'],\n"],
    ],
  },
  program: `import { collect } from './src/collect/collect.ts';
import { readEvidence } from './src/evidence/file.ts';
import { openRecorded } from './src/kube/recorded.ts';
import { rulesFor } from './src/signals/rights.ts';
import { initialState } from './src/watch/state.ts';
const { value: kube } = await openRecorded('recording');
const said = [];
const progress = (id, step, text) => id === 'disruption-budgets' && said.push(step, text);
const host = { kube, progress, now: () => 0, wait: async () => {}, beforeExecs() {} };
const { namespace, service: name } = kube;
const asked = { port: null, windowSeconds: 0, exec: false, allPods: false, toolVersion: '0.0.0' };
let found;
for await (const state of collect({ ...asked, namespace, name, context: null }, host)) found = state.evidence;
const record = readEvidence(JSON.stringify(found), 'a record').value;
const [rule] = rulesFor(['disruption-budgets']);
console.log(JSON.stringify({
  said, kept: record.disruptionBudgets, state: record.signals.find(({ id }) => id === 'disruption-budgets').state,
  right: [rule.apiGroup, rule.resource, rule.verbs], explained: explain('disruption-budgets').title,
  step: initialState({}, 0).steps.find(({ id }) => id === 'disruption-budgets').title,
}));`,
  says: {
    said: ['done', 'calm'],
    kept: ['calm'],
    state: 'complete',
    right: ['policy', 'poddisruptionbudgets', ['list']],
    explained: 'How many pods may go at once?',
    step: 'budgets',
  },
};

const cause: Change = {
  title: 'To add a cause',
  name: 'full-moon',
  labels: { moon: 'full' },
  files: {
    'src/report/ids.ts': [["causeIds = [\n  'new-pods-idle',", "causeIds = [\n  'full-moon',\n  'new-pods-idle',"]],
    'src/causes/NAME.ts': `import type { CauseUnit } from './unit.ts';

export const fullMoon: CauseUnit = {
  id: 'full-moon',
  title: 'The moon is full',
  family: 'health',
  needs: ['endpoints'],
  signature: 'The moon is round.',
  confidenceRule: 'certain: it is seen from everywhere.',
  rivals: [{ id: 'chance', toldApartBy: 'the sky' }],
  curedBy: ['l7-proxy'],
  bars: { strategies: 'all', why: 'the moon does not balance' },
  relief: ['widen-channels'],
  avoid: () => ['do not look up: it goes by itself'],
  firstStep: ({ kubectl }) => \`wait: \${kubectl(['get', 'pods'])}\`,
  find: ({ service }) =>
    service.labels['moon'] === 'full' ? { confidence: 'certain', text: 'the moon is full', evidence: ['it is round'] } : null,
};
`,
    'src/causes/all.ts': [
      ['import { headlessWithMesh }', "import { fullMoon } from './full-moon.ts';\nimport { headlessWithMesh }"],
      ['causeUnits: readonly CauseUnit[] = [', 'causeUnits: readonly CauseUnit[] = [\n  fullMoon,'],
    ],
  },
  program: `import { causePages } from './scripts/docs/tables.ts';
const { first, rule, because } = status.recommendation;
console.log(JSON.stringify({
  why: status.headline.why, first: first[0], rule, because, avoid: status.avoid[0],
  relief: status.relief.some(({ action }) => action.startsWith('run more client pods')),
  against: status.causes[0].settledBy, explained: explain('full-moon').title, page: causePages().includes('#### full-moon'),
}));`,
  says: {
    why: 'the moon is full',
    first: 'wait: kubectl get pods -n shop --context test',
    rule: 2,
    because: ['the moon does not balance'],
    avoid: 'do not look up: it goes by itself',
    relief: true,
    against: [],
    explained: 'The moon is full',
    page: true,
  },
};

const strategy: Change = {
  title: 'To add a strategy',
  name: 'carrier-pigeons',
  labels: {},
  files: {
    'src/report/ids.ts': [['strategyIds = [\n', "strategyIds = [\n  'carrier-pigeons',\n"]],
    'src/strategies/NAME.ts': `import type { StrategyUnit } from './unit.ts';

export const carrierPigeons: StrategyUnit = {
  id: 'carrier-pigeons',
  title: 'Carrier pigeons',
  what: 'A bird chooses a pod for each call.',
  fitsWhen: 'The clients have windows.',
  requirements: [{ text: 'the clients have windows', status: () => 'unknown' }],
  newPods: 'in spring',
  costs: ['grain'],
  assess: () => ({
    fits: ['no cable'],
    against: [],
    prediction: {
      effectivePods: null, effectivePodsRange: null, peakToMean: null, newPod: 'in spring', newPodSeconds: null, cost: [],
    },
  }),
};
`,
    'src/strategies/choose.ts': [
      ['import { clusterIp }', "import { carrierPigeons } from './carrier-pigeons.ts';\nimport { clusterIp }"],
      ['strategyUnits: readonly StrategyUnit[] = [', 'strategyUnits: readonly StrategyUnit[] = [\n  carrierPigeons,'],
      [
        "  'cluster-ip': 'the ClusterIP Service',",
        "  'carrier-pigeons': 'pigeons',\n  'cluster-ip': 'the ClusterIP Service',",
      ],
    ],
    'src/strategies/rules.ts': [
      [
        /\n {2}\{\n {4}row: 11,/,
        `
  {
    row: 11,
    when: 'nothing else helps',
    outcomes: [{ strategy: 'carrier-pigeons', action: 'adopt' }],
    applies: ({ causes }) => causes.some(({ unit }) => unit.curedBy?.includes('carrier-pigeons')),
    choose: () => ({ strategy: 'carrier-pigeons', action: 'adopt', because: ['they fly'] }),
  },
  {
    row: 12,`,
      ],
    ],
    'src/causes/cures.ts': [["= ['headless-round-robin',", "= ['carrier-pigeons', 'headless-round-robin',"]],
    'src/fix/strategies.ts': [
      [
        "  'cluster-ip': () => ({",
        "  'carrier-pigeons': () => ({ notes: ['feed them'], manifests: [], code: [], options: [], steps: [], undo: [] }),\n  'cluster-ip': () => ({",
      ],
    ],
    'src/fix/requirements.ts': [
      ["  'proxyless-xds': 'xds',", "  'carrier-pigeons': 'retry',\n  'proxyless-xds': 'xds',"],
    ],
  },
  program: `import { missingFeature } from './src/fix/requirements.ts';
const { strategy, rule, text, strategies } = status.recommendation;
console.log(JSON.stringify({
  strategy, rule, text, assessed: strategies[0].id, explained: explain('carrier-pigeons').title,
  impossible: missingFeature('dart', 'carrier-pigeons') !== null,
}));`,
  says: {
    strategy: 'carrier-pigeons',
    rule: 11,
    text: 'pigeons',
    assessed: 'carrier-pigeons',
    explained: 'Carrier pigeons',
    impossible: true,
  },
};

function apply({ files, name }: Change, folder: string): void {
  for (const [file, change] of Object.entries(files)) {
    const path = join(folder, file.replace('NAME', name));
    const text =
      typeof change === 'string'
        ? change
        : change.reduce(
            (before, [old, fresh]) => {
              const after = before.replace(old, fresh);
              expect(after, `${file} has ${old}`).not.toBe(before);
              return after;
            },
            readFileSync(path, 'utf8'),
          );
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-steps-'));

beforeAll(async () => {
  for (const part of ['src', 'scripts', 'package.json']) cpSync(part, join(folder, part), { recursive: true });
  cpSync('test/recordings/balanced-headless', join(folder, 'recording'), { recursive: true });
  writeFileSync(join(folder, 'recording/poddisruptionbudgets.json'), JSON.stringify({ items: budgets }));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  const include = ['src', 'scripts/docs/tables.ts'];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  for (const change of [signal, cause, strategy]) apply(change, folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('with them it compiles', { timeout: 120_000 }, async () => {
  const options = ['--pretty', 'false'];
  const compiled = await run(resolve('node_modules/.bin/tsc'), options, { cwd: folder }).catch(
    (error: unknown) => error,
  );
  expect(compiled).toMatchObject({ stdout: '', stderr: '' });
});

test.for([signal, cause, strategy])(
  '$title: every file is named, and it is said wherever it should be',
  async (change) => {
    const { title, name, files, labels, program, says } = change;
    expect(filesOfSteps(title)).toEqual(Object.keys(files).sort());
    const evidence = buildEvidence({ pods: pods(10), connections: dealt([2, 1, 1]), service: { labels } });
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(evidence));
    writeFileSync(join(folder, `${name}.ts`), fromHere.replace('NAME', name) + program);
    const { stdout } = await run(process.execPath, [`${name}.ts`], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(says);
  },
);
