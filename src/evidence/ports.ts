import { err, ok, type Result } from '../result/result.ts';
import type { EndpointSlice, Service, ServicePort } from './objects.ts';

/** Why there is no port to diagnose. */
interface NoPort {
  readonly problem: 'no-ports' | 'udp-only' | 'no-such-port' | 'ambiguous';
  readonly message: string;
  readonly hint: string;
}

/** The port of the Service that the diagnosis is about. */
interface ChosenPort {
  readonly port: ServicePort;
  readonly note: string | null;
}

/** The ports that a verdict is wanted for: at least one. */
interface ChosenPorts {
  readonly ports: readonly ServicePort[];
  /** How one port was chosen among several; null where none was chosen. */
  readonly note: string | null;
}

/**
 * The ports that one run diagnoses: the one that `choosePort` chooses or, where none was asked for and several look like
 * gRPC, each of these. Two names for one target port are one, by its number or by what the slices say that its name
 * stands for: the sockets do not tell them apart.
 */
export function choosePorts(
  service: Service,
  asked: string | null,
  slices: readonly EndpointSlice[] | null,
): Result<ChosenPorts, NoPort> {
  const choice = choosePort(service, asked);
  if (choice.ok) return ok({ ports: [choice.value.port], note: choice.value.note });
  const likely = grpcPorts(service);
  if (choice.error.problem !== 'ambiguous' || likely.length === 0) return choice;
  const targets = likely.map((port) => targetsOf(port, slices ?? []));
  const ports = likely.filter((_, at) => targets.indexOf(targets[at] ?? '') === at);
  const note = ports.length > 1 ? null : `${describePorts(likely)}: names of one target port, one verdict`;
  return ok({ ports, note });
}

/** Where the pods serve a port, slice by slice; what the Service says where no slice has it. */
function targetsOf({ name, targetPort, port, protocol }: ServicePort, slices: readonly EndpointSlice[]): string {
  const numbers = slices.map(
    ({ ports }) =>
      ports.find((entry) => (entry.name ?? '') === (name ?? '') && entry.protocol === protocol)?.port ?? null,
  );
  return JSON.stringify(numbers.some((number) => number !== null) ? numbers : (targetPort ?? `port ${port}`));
}

/** TCP ports that look like gRPC. */
export function grpcPorts(service: Service): readonly ServicePort[] {
  return service.ports.filter((port) => port.protocol === 'TCP' && looksLikeGrpc(port));
}

/** What --port would call it. */
export function portName(port: ServicePort): string {
  return port.name || String(port.port);
}

/**
 * Chooses the port. Asked for: by name, by port number or by target port. Else the only TCP port, else the only one
 * that looks like gRPC. Otherwise the user must say.
 */
export function choosePort(service: Service, asked: string | null): Result<ChosenPort, NoPort> {
  const tcp = service.ports.filter((port) => port.protocol === 'TCP');
  if (service.ports.length === 0) {
    const message = `service ${service.name} has no ports`;
    return err({ problem: 'no-ports', message, hint: 'gRPC needs a TCP port: check the Service' });
  }
  if (tcp.length === 0) {
    const message = `service ${service.name} has no TCP port, only ${[...new Set(service.ports.map((port) => port.protocol))].join(', ')}`;
    return err({ problem: 'udp-only', message, hint: 'gRPC runs over TCP: is this the right Service?' });
  }
  if (asked !== null) {
    const found =
      tcp.find((port) => port.name === asked) ??
      tcp.find((port) => String(port.port) === asked) ??
      tcp.find((port) => String(port.targetPort) === asked);
    if (found !== undefined) return ok({ port: found, note: null });
    const message = `service ${service.name} has no TCP port ${asked}`;
    return err({ problem: 'no-such-port', message, hint: `its TCP ports: ${describePorts(tcp)}` });
  }
  const [first] = tcp;
  if (tcp.length === 1 && first !== undefined) return ok({ port: first, note: null });
  const likely = grpcPorts(service);
  const [only] = likely;
  if (likely.length === 1 && only !== undefined) {
    const taken = `port ${describePorts([only])} taken of ${describePorts(tcp)}`;
    return ok({ port: only, note: `${taken}: it looks like gRPC; choose with --port` });
  }
  const message = `service ${service.name} has ${tcp.length} TCP ports and ${likely.length === 0 ? 'none looks' : 'several look'} like gRPC`;
  return err({ problem: 'ambiguous', message, hint: `choose one with --port: ${describePorts(tcp)}` });
}

/** It only picks among several ports: it never decides that the traffic is gRPC. */
function looksLikeGrpc(port: ServicePort): boolean {
  return grpcSign(port) !== null || (port.appProtocol === null && port.name === null && port.port === 50_051);
}

/** What of a Service's port says gRPC: its declared protocol (Kubernetes' standard names and Istio's), else its name. */
export function grpcSign(port: ServicePort): 'app-protocol' | 'port-name' | null {
  const declared = port.appProtocol?.toLowerCase();
  if (declared !== undefined)
    return ['grpc', 'grpc-web', 'h2c', 'http2', 'kubernetes.io/h2c'].includes(declared) ? 'app-protocol' : null;
  return port.name !== null && /(^|[-_.])(grpc|http2|h2c)([-_.]|$)/i.test(port.name) ? 'port-name' : null;
}

function describePorts(ports: readonly ServicePort[]): string {
  return ports
    .map((port) => (port.name === null || port.name === '' ? String(port.port) : `${port.name} (${port.port})`))
    .join(', ');
}
