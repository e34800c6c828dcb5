import { execFileSync } from 'node:child_process';

/**
 * Packs the content of a folder; the same content gives the same bytes: sorted names, no times, no owners. Needs GNU tar.
 * `level` is gzip's: the last percent of an executable takes three times as long.
 */
export function makeArchive(folder: string, archive: string, level: number): void {
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  // -n: gzip keeps no name and no time.
  execFileSync('tar', [...same, `--use-compress-program=gzip -${level}n`, '-cf', archive, '-C', folder, '.']);
}
