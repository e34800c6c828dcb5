import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderError } from '../../src/render/error.ts';
import { renderJson } from '../../src/render/json.ts';
import { yamlOf } from '../../src/render/yaml.ts';
import { SkewReport } from '../../src/report/schema.ts';
import { report, reports, scaleUp } from './reports.ts';

const dangerous = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}]/u;

describe.each(Object.entries(reports))('%s', (_, one) => {
  test('is a report', () => {
    expect([...Value.Errors(SkewReport, one)]).toEqual([]);
  });

  test('is the same after JSON and YAML', () => {
    expect(JSON.parse(renderJson(one))).toEqual(one);
    expect(parse(yamlOf(one), { maxAliasCount: 0 })).toEqual(one);
  });
});

test('any text comes through, and none of it can act on a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const one = report(text, { avoid: [text], limits: { [`k${text}`]: 1 } });
      for (const document of [renderJson(one), yamlOf(one)]) expect(document).not.toMatch(dangerous);
      expect(JSON.parse(renderJson(one))).toEqual(one);
      expect(parse(yamlOf(one))).toEqual(one);
    }),
  );
});

test('JSON is indented by four', () => {
  expect(renderJson(scaleUp)).toMatch(
    /^\{\n {4}"apiVersion": "grpc-skew\/v1alpha1",\n {4}"kind": "SkewReport",\n[\s\S]*\n\}\n$/,
  );
});

test('YAML has the layout of kubectl, and no string that others read as a boolean', () => {
  const text = yamlOf(report('no', { avoid: ['yes', 'off'] }));
  expect(text).toMatch(/^apiVersion: grpc-skew\/v1alpha1\nkind: SkewReport\nmetadata:\n {2}name: "no"\n/);
  expect(text).toContain('  avoid:\n  - "yes"\n  - "off"\n');
});

test('an error is one line, with what to do next behind it', () => {
  expect(renderError({ message: 'services "echo" not found' })).toBe('error: services "echo" not found\n');
  expect(renderError({ message: 'no\u001b[2J\nroute', hint: 'look at --context' })).toBe(
    'error: no^[[2J route; look at --context\n',
  );
});
