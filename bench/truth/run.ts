/**
 * Holds the program against an independent simulation of gRPC traffic in a cluster, and prints how often it is right.
 *
 *   npm run truth -- [--seeds N] [--families ID,ID] [--salt TEXT] [--sample] [--keep] [--publish] [--json FILE] [--show SEED]
 *
 * --seeds: runs of each family (27); --salt: another set of seeds; --sample: the runs that the tests hold; --keep: these, and
 * their figures become the floor of the tests; --publish: the figures of a whole report become those of the documentation
 * (then npm run docs); --json: every run as data; --show: one run (with the --seeds of its report), its
 * truth, what was said of it, and its Evidence in FILE where --json names one.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { evidenceOf } from './evidence.ts';
import { families } from './families/all.ts';
import type { Family } from './family.ts';
import { openProgram } from './program.ts';
import type { Published } from './published.ts';
import { type Case, casesOf, extraOf, runOf, type Scored, sampleOf, scoreCase } from './score.ts';
import { byCause, causeLines, familyLines, overallLines, summarise, wrongLines } from './tables.ts';

interface Task {
  readonly ids: readonly string[];
  readonly seeds: number;
  readonly salt: string;
  readonly sample: boolean;
  /** This worker takes each n-th run from this one on. */
  readonly from: number;
  readonly step: number;
}

/** Seeds of the report; those of the tests differ. */
const reportSalt = 'report';

function casesFor({ ids, seeds, salt, sample }: Pick<Task, 'ids' | 'seeds' | 'salt' | 'sample'>): Case[] {
  const wanted = ({ id }: Family) => ids.length === 0 || ids.includes(id);
  if (sample) return sampleOf(families).filter(({ family }) => wanted(family));
  return casesOf(families.filter(wanted), seeds, salt);
}

async function work(task: Task): Promise<(readonly [number, Scored])[]> {
  const program = await openProgram();
  return [...casesFor(task).entries()]
    .filter(([at]) => at % task.step === task.from)
    .map(([at, one]) => [at, scoreCase(one, program, extraOf(at))] as const);
}

function inWorker(task: Task): Promise<(readonly [number, Scored])[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** A seed says its family and its place, and so how hard it is. */
async function show(seed: string, seeds: number, file: string | undefined): Promise<void> {
  const [salt = '', id = ''] = seed.split('/');
  const sample = salt === 'suite';
  const one = casesFor({ ids: [id], seeds, salt, sample }).find((candidate) => candidate.seed === seed);
  if (one === undefined) {
    console.error(`no run has the seed ${seed}: SALT/FAMILY/NUMBER, with the --seeds of its report`);
    process.exitCode = 2;
    return;
  }
  console.log(one.family.words);
  console.log(JSON.stringify(scoreCase(one, await openProgram(), null), null, 1));
  if (file !== undefined) writeFileSync(file, JSON.stringify(evidenceOf(runOf(one), seed), null, 1));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '27' },
      families: { type: 'string', default: '' },
      salt: { type: 'string', default: reportSalt },
      json: { type: 'string' },
      show: { type: 'string' },
      sample: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
    },
  });
  const seeds = Number(values.seeds);
  if (values.show !== undefined) return await show(values.show, seeds, values.json);
  const ids = values.families === '' ? [] : values.families.split(',');
  const unknown = ids.filter((id) => !families.some((family) => family.id === id));
  if (unknown.length > 0 || !Number.isInteger(seeds) || seeds < 1) {
    console.error(unknown.length > 0 ? `no such family: ${unknown.join(', ')}` : '--seeds wants a number of 1 or more');
    console.error(`families: ${families.map(({ id }) => id).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const sample = values.sample || values.keep;
  if (values.publish && (sample || ids.length > 0 || values.salt !== reportSalt)) {
    console.error('--publish wants a whole report: all families, with the seeds of the report');
    process.exitCode = 2;
    return;
  }
  const step = availableParallelism();
  const tasks = Array.from(
    { length: step },
    (_, from): Task => ({ ids, seeds, salt: values.salt, sample, from, step }),
  );
  const found = (await Promise.all(tasks.map(inWorker))).flat();
  const all = found.sort(([a], [b]) => a - b).map(([, scored]) => scored);
  const summary = summarise(all);
  const blocks = [
    overallLines(summary),
    familyLines(all),
    causeLines(all),
    ['wrong, most often:', ...wrongLines(all, 40)],
  ];
  console.log(blocks.map((lines) => lines.join('\n')).join('\n\n'));
  if (values.keep)
    writeFileSync(new URL('../../test/truth/kept.json', import.meta.url), `${JSON.stringify(summary, null, 2)}\n`);
  if (values.publish) {
    const published: Published = { families: families.length, seeds, summary, causes: byCause(all) };
    writeFileSync(new URL('published.json', import.meta.url), `${JSON.stringify(published, null, 2)}\n`);
  }
  if (values.json !== undefined)
    writeFileSync(values.json, JSON.stringify({ summary, causes: byCause(all), runs: all }, null, 1));
}

if (isMainThread) await main();
else parentPort?.postMessage(await work(workerData as Task));
