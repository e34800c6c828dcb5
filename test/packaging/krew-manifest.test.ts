import { readFileSync } from 'node:fs';
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
