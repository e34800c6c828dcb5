import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { targets } from '../../krew/targets.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly { target?: string; targets?: string }[] } };
  readonly steps: readonly Step[];
}

const folder = '.github/workflows';
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));
const jobsOf = (text: string) => Object.entries((parse(text) as { jobs: Record<string, Job> }).jobs);

describe.each(workflows)('$name', ({ text }) => {
  const jobs = jobsOf(text);
  const commands = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => (run ?? '').split('\n').filter(Boolean)));

  test('has jobs with steps, each with an end, each after one that there is', () => {
    const names = jobs.map(([name]) => name);
    for (const [, job] of jobs) {
      expect(job.steps.length).toBeGreaterThan(0);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
      if (job.needs !== undefined) expect(names).toContain(job.needs);
    }
  });

  test('calls only scripts that exist', () => {
    const called = commands.flatMap((command) => /^npm run ([\w-]+)/.exec(command)?.[1] ?? []);
    for (const script of called) expect(scripts).toHaveProperty(script);
    const files = commands.flatMap((command) => /^((?:\.ci|krew|scripts)\/[\w.-]+)/.exec(command)?.[1] ?? []);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) accessSync(file, constants.X_OK);
  });

  test('pins what it uses to a commit, save the bot of krew, which gets read access alone', () => {
    expect(parse(text).permissions).toEqual({ contents: 'read' });
    for (const [, { steps, permissions }] of jobs) {
      for (const { uses } of steps) {
        if (uses?.startsWith('rajatjindal/krew-release-bot@v')) expect(permissions).toBeUndefined();
        else if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      }
    }
  });

  test('puts nothing that others may choose into a shell', () => {
    for (const command of commands) expect(command).not.toContain('${{');
  });

  test('tries each target that is packaged on a machine of its kind, where another job has not', () => {
    const tried = jobs.flatMap(([name, job]) => (name === 'try' ? (job.strategy?.matrix.include ?? []) : []));
    const ids = tried.map(({ target }) => target);
    // .ci/run runs the executable of its own machine in the tests.
    const here = text.includes('.ci/run') ? ['linux_amd64'] : [];
    expect([...ids, ...here].sort()).toEqual(targets.map(({ id }) => id).sort());
  });
});

test('a release packages all targets, each once', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')?.text ?? '';
  const [, job] = jobsOf(release).find(([name]) => name === 'package') ?? [];
  const packaged = job?.strategy?.matrix.include.flatMap(({ targets: ids }) => ids?.split(' ') ?? []) ?? [];
  expect(packaged.sort()).toEqual(targets.map(({ id }) => id).sort());
});
