/**
 * A lab whose execs take longer, as they do where an API server, a kubelet and a container runtime stand between: until
 * it gets SIGTERM.
 *
 *   node bench/slow-lab.ts PODS MILLISECONDS
 */
import { startLab } from '../src/lab/lab.ts';

const [pods = 50, delayMs = 0] = process.argv.slice(2).map(Number);
const lab = await startLab({ scenario: 'scale-up', from: Math.ceil(pods / 3), to: pods, clients: 20 });
if (delayMs > 0) lab.faults.inject({ request: /\/exec\?/, times: Number.POSITIVE_INFINITY, delayMs });
await lab.ready;
process.on('SIGTERM', () => void lab.stop().then(() => process.exit(0)));
process.stdout.write(`KUBECONFIG=${lab.kubeconfigPath} \n`);
