import type { Language } from '../report/ids.ts';

/**
 * What the gRPC library of each language can do, as data. A snippet exists only for what this table says exists: the
 * types of the snippet tables are derived from it, so that one for a missing feature does not compile.
 *
 * Sources, read 2026-11: gRFC A9 (connection age), A6 (retries), A17 (health checking), A27 (xDS); google.golang.org/grpc
 * (keepalive.ServerParameters, health, xds); grpc-java NettyServerBuilder, ManagedChannelBuilder, grpc-services, grpc-xds;
 * grpc/impl/channel_arg_names.h for C-core (C++, Python); @grpc/grpc-js 1.14 channel-options and service-config (it reads no
 * healthCheckConfig); learn.microsoft.com/aspnet/core/grpc/loadbalancing and /retries, dotnet/aspnetcore 51778 (Kestrel has
 * no connection age), grpc-dotnet 2515 (no health checks in its policies); tonic transport::server (max_connection_age,
 * without jitter), Channel::balance_list; grpc-dart ChannelOptions.connectionTimeout.
 */
interface Has {
  readonly has: true;
  /** The name under which it is found. */
  readonly name: string;
  /** What one must know before relying on it. */
  readonly note?: string;
}
interface Lacks {
  readonly has: false;
  readonly why: string;
  readonly instead: string;
  /** Of a connection age: the option by which clients in this language end their connections themselves. */
  readonly atClients?: string;
}
export type Support = Has | Lacks;

export const features = ['connection-age', 'round-robin', 'retry', 'health', 'xds'] as const;
export type Feature = (typeof features)[number];

const support = {
  go: {
    'connection-age': { has: true, name: 'keepalive.ServerParameters.MaxConnectionAge, .MaxConnectionAgeGrace' },
    'round-robin': { has: true, name: 'grpc.WithDefaultServiceConfig, loadBalancingConfig round_robin' },
    retry: { has: true, name: 'retryPolicy in the service config' },
    health: {
      has: true,
      name: 'healthCheckConfig, with google.golang.org/grpc/health imported',
      note: 'grpc-go 1.66 to 1.75 at least accepts healthCheckConfig but starts no checks under round_robin (grpc-go 8590): a pod that is not Ready is left only when its connection ends',
    },
    xds: { has: true, name: 'target xds:///, with google.golang.org/grpc/xds imported' },
  },
  java: {
    'connection-age': { has: true, name: 'NettyServerBuilder.maxConnectionAge, .maxConnectionAgeGrace' },
    'round-robin': { has: true, name: 'ManagedChannelBuilder.defaultServiceConfig, loadBalancingConfig round_robin' },
    retry: { has: true, name: 'retryPolicy in the service config' },
    health: {
      has: true,
      name: 'healthCheckConfig, with io.grpc:grpc-services on the class path',
      note: 'the JVM must not keep DNS answers for ever: networkaddress.cache.ttl of java.security at 30 or less, never -1',
    },
    xds: { has: true, name: 'target xds:///, with io.grpc:grpc-xds on the class path' },
  },
  python: {
    'connection-age': { has: true, name: 'grpc.max_connection_age_ms, grpc.max_connection_age_grace_ms' },
    'round-robin': { has: true, name: 'grpc.service_config, loadBalancingConfig round_robin' },
    retry: { has: true, name: 'retryPolicy in the service config' },
    health: { has: true, name: 'healthCheckConfig in the service config' },
    xds: { has: true, name: 'target xds:///' },
  },
  node: {
    'connection-age': { has: true, name: 'grpc.max_connection_age_ms, grpc.max_connection_age_grace_ms' },
    'round-robin': { has: true, name: 'grpc.service_config, loadBalancingConfig round_robin' },
    retry: { has: true, name: 'retryPolicy in the service config' },
    health: {
      has: false,
      why: 'grpc-js reads no healthCheckConfig',
      instead: 'a pod that is not Ready is left when its connection ends',
    },
    xds: { has: true, name: 'target xds:///, with register() of @grpc/grpc-js-xds' },
  },
  csharp: {
    'connection-age': {
      has: false,
      why: 'ASP.NET Core (Kestrel) has no connection age',
      instead: 'SocketsHttpHandler.PooledConnectionLifetime at the clients where those are .NET, else an L7 proxy',
      atClients: 'SocketsHttpHandler.PooledConnectionLifetime',
    },
    'round-robin': { has: true, name: 'ServiceConfig.LoadBalancingConfigs, RoundRobinConfig' },
    retry: { has: true, name: 'MethodConfig.RetryPolicy' },
    health: {
      has: false,
      why: 'Grpc.Net.Client does no health checks',
      instead: 'DnsResolverFactory(refreshInterval) asks the name again',
    },
    xds: {
      has: false,
      why: 'Grpc.Net.Client speaks no xDS',
      instead: 'an L7 proxy, or a headless Service with round_robin',
    },
  },
  cpp: {
    'connection-age': { has: true, name: 'ServerBuilder::AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, …)' },
    'round-robin': { has: true, name: 'ChannelArguments::SetServiceConfigJSON, loadBalancingConfig round_robin' },
    retry: { has: true, name: 'retryPolicy in the service config' },
    health: { has: true, name: 'healthCheckConfig in the service config' },
    xds: { has: true, name: 'target xds:///' },
  },
  rust: {
    'connection-age': {
      has: true,
      name: 'tonic::transport::Server::builder().max_connection_age(Duration)',
      note: 'tonic adds no jitter: connections that began together end together',
    },
    'round-robin': {
      has: false,
      why: 'tonic balances over a list that the program keeps itself (Channel::balance_list)',
      instead: 'an L7 proxy',
    },
    retry: { has: false, why: 'tonic reads no retryPolicy', instead: 'retry in the program, or by an L7 proxy' },
    health: { has: false, why: 'tonic does no health checks of its endpoints', instead: 'an L7 proxy' },
    xds: { has: false, why: 'tonic speaks no xDS', instead: 'an L7 proxy' },
  },
  dart: {
    'connection-age': {
      has: false,
      why: 'a grpc-dart server has no connection age',
      instead: 'ChannelOptions.connectionTimeout at the clients where those are Dart, else an L7 proxy',
      atClients: 'ChannelOptions.connectionTimeout',
    },
    'round-robin': { has: false, why: 'grpc-dart has no balancing policy for names', instead: 'an L7 proxy' },
    retry: { has: false, why: 'grpc-dart reads no retryPolicy', instead: 'retry in the program, or by an L7 proxy' },
    health: { has: false, why: 'grpc-dart does no health checks', instead: 'an L7 proxy' },
    xds: { has: false, why: 'grpc-dart speaks no xDS', instead: 'an L7 proxy' },
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<Feature, Support>>>>;

/** Languages whose library has a feature: the keys that a table of snippets for it has, no more and no fewer. */
export type LanguagesWith<F extends Feature> = {
  [L in Language]: (typeof support)[L][F]['has'] extends true ? L : never;
}[Language];

export const languageNames: Readonly<Record<Language, string>> = {
  go: 'Go',
  java: 'Java',
  python: 'Python',
  node: 'Node.js',
  csharp: 'C#',
  cpp: 'C++',
  rust: 'Rust (tonic)',
  dart: 'Dart',
};

/** What each feature is called in a sentence. */
export const featureNames: Readonly<Record<Feature, string>> = {
  'connection-age': 'a connection age',
  'round-robin': 'round_robin',
  retry: 'retryPolicy',
  health: 'healthCheckConfig',
  xds: 'xDS',
};

export function supportOf(language: Language, feature: Feature): Support {
  return support[language][feature];
}
