import { experimental } from '@grpc/grpc-js';

/** An address to dial and the address to dial it from. grpc-js hands both to `net.connect` as they are. */
export interface DialAddress {
  readonly host: string;
  readonly port: number;
  readonly localAddress: string;
}

/** The channel option that carries a client's own name lookup. */
export const lookupOption = 'grpc-skew-lab.lookup';
export type Lookup = () => readonly DialAddress[];

// As grpc-js's DNS resolver: asked again only when a connection breaks, and not before 30 s have passed.
const minTimeBetweenLookupsMs = 30_000;

type Listener = ConstructorParameters<Parameters<typeof experimental.registerResolver>[1]>[1];
type ChannelOptions = ConstructorParameters<Parameters<typeof experimental.registerResolver>[1]>[2];
type Target = ConstructorParameters<Parameters<typeof experimental.registerResolver>[1]>[0];

class LabResolver implements experimental.Resolver {
  private lastLookupAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private readonly listener: Listener;
  private readonly lookup: Lookup;

  constructor(_target: Target, listener: Listener, options: ChannelOptions) {
    this.listener = listener;
    this.lookup = options[lookupOption] as Lookup;
  }

  updateResolution(): void {
    if (this.timer) return;
    const wait = Math.max(0, this.lastLookupAt + minTimeBetweenLookupsMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.lastLookupAt = performance.now();
      const endpoints = this.lookup().map((address) => ({ addresses: [address] }));
      this.listener(experimental.statusOrFromValue(endpoints), {}, null, '');
    }, wait);
    this.timer.unref();
  }

  destroy(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  static getDefaultAuthority(target: Target): string {
    return target.path;
  }
}

let registered = false;

/** Teaches grpc-js the scheme `lab:`, once in a process. */
export function registerLabResolver(): void {
  if (registered) return;
  experimental.registerResolver('lab', LabResolver);
  registered = true;
}
