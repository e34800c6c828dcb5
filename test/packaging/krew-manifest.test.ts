import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly description: string;
    readonly homepage: string;
    readonly platforms: readonly {
      readonly selector: object;
      readonly uri: string;
      readonly sha256: string;
      readonly bin: string;
    }[];
  };
}

const manifest = parse(readFileSync('plugin.yaml', 'utf8')) as Manifest;

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
  for (const platform of spec.platforms) {
    expect(platform.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(platform.uri).toMatch(/^https:\/\/.*\.(tar\.gz|zip)$/);
    expect(platform.bin).toBe('kubectl-grpc_skew');
    expect(Object.keys(platform.selector)).toEqual(['matchExpressions']);
  }
});

test('its version is that of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  expect(manifest.spec.version).toBe(`v${version}`);
});

test('the archive installs as krew installs it, and runs through the link', () => {
  const makeArchive = () =>
    execFileSync(process.execPath, ['krew/package.mjs'], { encoding: 'utf8' }).split(' ')[0] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-krew-'));
  try {
    const sha256 = makeArchive();
    const made = parse(readFileSync('build/plugin.yaml', 'utf8')) as Manifest;
    expect(made.spec.platforms.map((platform) => platform.sha256)).toEqual([sha256]);
    // krew unpacks into its store and links the bin of the manifest onto PATH.
    const store = join(folder, 'store');
    mkdirSync(store);
    execFileSync('tar', ['-xzf', `build/grpc-skew_${made.spec.version}.tar.gz`, '-C', store]);
    expect(readdirSync(store)).toContain('LICENSE');
    const link = join(folder, 'kubectl-grpc_skew');
    symlinkSync(join(store, made.spec.platforms[0]?.bin ?? ''), link);
    const printed = execFileSync(process.execPath, [link, 'version'], { encoding: 'utf8' });
    expect(printed).toBe(`grpc-skew ${made.spec.version.slice(1)}\n`);
    expect(makeArchive()).toBe(sha256);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
