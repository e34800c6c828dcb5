import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refused } from './refused.ts';
import { type Executable, isBuiltHere, nodeVersion } from './targets.ts';

/**
 * The Node.js that goes into an executable: the running one for this machine's own platform, else the one of the npm
 * package, downloaded into a folder and checked. Throws `Refused` where it cannot be had.
 */
export async function nodeOf(target: Executable, folder: string): Promise<string> {
  if (process.versions.node !== nodeVersion)
    throw new Refused(
      `packaging needs Node.js ${nodeVersion}, not ${process.version}`,
      'run npm ci, then npm run package',
    );
  if (isBuiltHere(target)) return process.execPath;
  const name = `${target.package}@${nodeVersion}`;
  try {
    const quick = ['--fetch-retries=1', '--fetch-timeout=120000'];
    execFileSync('npm', ['pack', name, '--loglevel=error', ...quick, '--pack-destination', folder], { stdio: 'pipe' });
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: Buffer };
    const reason = /npm error (.+)/.exec(String(stderr))?.[1] ?? message;
    throw new Refused(
      `could not download ${name} from the npm registry: ${reason}`,
      'connect to it, or name the targets that need no download: npm run package -- node',
    );
  }
  const tarball = join(folder, `${target.package}-${nodeVersion}.tgz`);
  const digest = createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64');
  if (`sha512-${digest}` !== target.integrity)
    throw new Refused(`${name} is not what krew/targets.ts expects: sha512-${digest}`, 'find out why before you go on');
  execFileSync('tar', ['-xzf', tarball, '-C', folder, `package/${target.file}`]);
  return join(folder, 'package', target.file);
}
