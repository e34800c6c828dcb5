import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderChat } from '../../src/render/chat.ts';
import { filledWith, nasty } from './filled.ts';
import { compared, forbidden, reports, scaleUp, twoHundred } from './reports.ts';

test.each(Object.entries({ scaleUp, compared, forbidden, twoHundred }))('%s as a message', async (name, report) => {
  await expect(renderChat(report)).toMatchFileSnapshot(`golden/${name}.chat.txt`);
});

/** Lines of prose, and those within blocks of code; a block that is not ended fails. */
function parts(message: string): { prose: string[]; blocks: string[][] } {
  const pieces = message.split(/^```\n/m);
  expect(pieces.length % 2).toBe(1);
  const lines = (piece: string) => piece.split('\n').filter((line) => line !== '');
  return {
    prose: pieces.filter((_, at) => at % 2 === 0).flatMap(lines),
    blocks: pieces.filter((_, at) => at % 2 === 1).map(lines),
  };
}

/** Slack takes 4000 characters for a text, Mattermost 16383, Teams about 28000. */
const longest = 4000;

test.each(Object.entries(reports))('%s: no table, no escape, short', (_name, report) => {
  const message = renderChat(report);
  const { prose, blocks } = parts(message);
  expect(message.length).toBeLessThan(longest);
  expect(prose[0]).toMatch(/^\*[A-Z ]+\* /);
  for (const line of prose) {
    expect(line).not.toMatch(/^\s*([#>|+-]|\d+[.)]) /);
    expect(line.replaceAll(/`[^`]*`/g, '')).not.toMatch(/[\\|]/);
  }
  // The pods, and the commands.
  expect(blocks.length).toBeLessThanOrEqual(2);
  for (const line of blocks[0] ?? []) expect(line.length).toBeLessThanOrEqual(72);
});

test('the commands of the first steps can be copied, that of the relief which is advised now, and the one that looks again', () => {
  const commands = ['kubectl get pods -n shop --context prod-eu'];
  const recommendation = { ...scaleUp.status.recommendation, first: ['look'], commands };
  const again = 'kubectl grpc-skew svc/echo -n shop --context prod-eu';
  const [relief] = scaleUp.status.relief;
  if (relief === undefined) throw new Error('there is no relief');
  const one = { ...relief, action: 'restart one client', command: 'kubectl delete pod web-1' };
  const all = { ...relief, action: 'restart the clients', command: 'kubectl rollout restart deployment/web' };
  const commandsFor = (now: string) => {
    const headline = { ...scaleUp.status.headline, now };
    return parts(
      renderChat({ ...scaleUp, status: { ...scaleUp.status, recommendation, headline, relief: [one, all] } }),
    ).blocks[1];
  };
  expect(commandsFor('do not scale up · restart one client: 2.7 → 3.6')).toEqual([...commands, one.command, again]);
  expect(commandsFor('restart the clients')).toEqual([...commands, all.command, again]);
  expect(commandsFor('look · do not scale up')).toEqual([...commands, again]);
});

/** What is left of a line when all that a chat reads as code, and the emphasis of the state, are taken out. */
const outside = (line: string) => line.replace(/^\*[A-Z ]+\* /, '').replaceAll(/`[^`]+`/g, '');

test('no text of a cluster calls anybody, leads anywhere or looks like anything but text', () => {
  fc.assert(
    fc.property(fc.constantFrom('scaleUp', 'elsewhere', 'compared'), nasty, (name, text) => {
      const message = renderChat(filledWith(reports[name], text));
      const { prose } = parts(message);
      expect(prose.length).toBeLessThan(20);
      // Slack reads these wherever they stand.
      expect(message).not.toMatch(/[<>]/);
      for (const line of prose) {
        expect(line.split('`').length % 2, line).toBe(1);
        expect(outside(line)).not.toMatch(/[*_~`|\\[\]{}#@$^!]|:\/\/|www\./);
        expect(line).toMatch(/^(\*[A-Z ]+\*|in|[a-z][a-z ]*:|warning )/);
      }
      expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 400 },
  );
});

test.each(['a', '@here', '\u0000', '漢', 'word '])('texts of any length make no long message: %j', (unit) => {
  expect(renderChat(filledWith(scaleUp, unit.repeat(5000))).length).toBeLessThan(longest);
});

test.each([
  ['thanks @alice, see #12', 'thanks `@alice`, see `#12`'],
  ['at https://evil.example/x.', 'at `https://evil.example/x`.'],
  ['<!channel> :tada: 15:41:08', '`‹!channel›` `:tada:` 15:41:08'],
  ['*bold* `code`', '`*bold*` `ˋcodeˋ`'],
])('%s', (text, expected) => {
  const { headline } = scaleUp.status;
  const message = renderChat({ ...scaleUp, status: { ...scaleUp.status, headline: { ...headline, fix: text } } });
  expect(parts(message).prose).toContain(`fix: ${expected}`);
});
