import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { targets } from '../../krew/targets.ts';
import { temporaryFolder } from '../cli/program.ts';

interface Platform {
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly description: string;
    readonly caveats: string;
    readonly homepage: string;
    readonly platforms: readonly Platform[];
  };
}

const text = readFileSync('plugin.yaml', 'utf8');
const manifest = parse(text) as Manifest;
const { platforms } = manifest.spec;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

/** krew's own rules: internal/index/validation/validate.go and the developer guide. */
test('the manifest fits krew', () => {
  const { apiVersion, kind, metadata, spec } = manifest;
  expect({ apiVersion, kind }).toEqual({ apiVersion: 'krew.googlecontainertools.github.com/v1alpha2', kind: 'Plugin' });
  expect(metadata.name).toMatch(/^[\w-]+$/);
  expect(spec.version).toMatch(/^v\d+\.\d+\.\d+(-[\w.]+)?$/);
  expect(spec.shortDescription.length).toBeLessThanOrEqual(50);
  expect(spec.shortDescription).not.toMatch(/\n|plugin|kubectl|kubernetes/i);
  expect(spec.homepage).toMatch(/^https:\/\//);
  for (const line of spec.description.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  for (const platform of platforms) {
    const { os, ...labels } = platform.selector.matchLabels;
    expect(Object.keys(platform).sort()).toEqual(['bin', 'selector', 'sha256', 'uri']);
    expect(platform.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(platform.uri).toMatch(/^https:\/\/.*\.(tar\.gz|zip)$/);
    expect(platform.bin).toBe(os === 'windows' ? 'kubectl-grpc_skew.exe' : 'kubectl-grpc_skew');
    expect(['linux', 'windows', 'darwin']).toContain(os);
    expect([[], ['arch']]).toContainEqual(Object.keys(labels));
  }
});

test('no two platforms fit the same machine', () => {
  const machines = ['linux', 'windows', 'darwin'].flatMap((os) => ['amd64', 'arm64'].map((arch) => ({ os, arch })));
  for (const machine of machines) {
    const fitting = platforms.filter(({ selector }) =>
      Object.entries(selector.matchLabels).every(([key, value]) => machine[key as 'os' | 'arch'] === value),
    );
    // Node.js for Windows on ARM is no npm package, so nothing is built for it.
    expect(fitting.length, JSON.stringify(machine)).toBe(machine.os === 'windows' && machine.arch === 'arm64' ? 0 : 1);
  }
});

test('its version is that of the package, its archives are those that are packaged', () => {
  expect(manifest.spec.version).toBe(`v${version}`);
  const archives = platforms.map(({ uri }) => basename(uri)).sort();
  expect(archives).toEqual(targets.map(({ id }) => `grpc-skew_v${version}_${id}.tar.gz`).sort());
  for (const { uri } of platforms) expect(uri).toContain(`${manifest.spec.homepage}/releases/download/v${version}/`);
});

test('the template for the release bot gives the same manifest', () => {
  // What the bot fills in: the tag, and for each archive its address and, four columns in, its checksum.
  const zeros = '0'.repeat(64);
  const filled = readFileSync('.krew.yaml', 'utf8')
    .replaceAll(/\{\{ ?addURIAndSha "([^"]+)" \.TagName \}\}/g, (_all, uri) => `uri: ${uri}\n    sha256: "${zeros}"`)
    .replaceAll('{{ .TagName }}', `v${version}`);
  expect(filled).not.toContain('{{');
  expect(parse(filled)).toEqual(manifest);
});

test('the released manifest has the checksum of each archive', ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const sums = new Map<string, string>();
  for (const { uri } of platforms) {
    writeFileSync(join(folder, basename(uri)), `the content of ${uri}`);
    sums.set(uri, createHash('sha256').update(`the content of ${uri}`).digest('hex'));
  }
  execFileSync(process.execPath, ['krew/manifest.ts', folder]);
  const released = parse(readFileSync(join(folder, 'plugin.yaml'), 'utf8')) as Manifest;
  expect(released).toEqual({
    ...manifest,
    spec: { ...manifest.spec, platforms: platforms.map((one) => ({ ...one, sha256: sums.get(one.uri) })) },
  });
  const check = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
  expect(check.trim().split('\n')).toHaveLength(sums.size);
});

test('an archive that is missing: one line', ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const make = () => execFileSync(process.execPath, ['krew/manifest.ts', folder], { stdio: 'pipe' });
  expect(make).toThrow(/^Command failed:.*\nerror: \S+tar\.gz cannot be read: ENOENT; make all archives first: .*\n$/);
});
