import { type ClientWish, serviceConfig, writtenJson } from './service-config.ts';
import { type LanguagesWith, supportOf } from './support.ts';

type Code = (wish: ClientWish) => string;

/** A channel with the service config of the wish; credentials are the plainest, to be replaced by one's own. */
export const clientCode: Readonly<Record<LanguagesWith<'round-robin'>, Code>> = {
  go: (wish) => {
    const health = wish.health ? '\n\t_ "google.golang.org/grpc/health" // health checks of the client' : '';
    return `import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"${health}
)

const serviceConfig = \`${writtenJson(configFor('go', wish))}\`

func newClient() (*grpc.ClientConn, error) {
	return grpc.NewClient("${wish.target}",
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithTransportCredentials(insecure.NewCredentials())) // or your TLS
}`;
  },
  java: (wish) => {
    const more = [
      ...(wish.roundRobin ? ['    "loadBalancingConfig", List.of(Map.of("round_robin", Map.of())),'] : []),
      ...(wish.health ? ['    "healthCheckConfig", Map.of("serviceName", ""), // needs io.grpc:grpc-services'] : []),
    ].map((line) => `${line}\n`);
    return `import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.Map;

// numbers in it must be doubles
Map<String, ?> serviceConfig = Map.of(
${more.join('')}    "methodConfig", List.of(Map.of(
        "name", List.of(Map.of()),
        "retryPolicy", Map.of(
            "maxAttempts", 4.0,
            "initialBackoff", "0.1s",
            "maxBackoff", "1s",
            "backoffMultiplier", 2.0,
            "retryableStatusCodes", List.of("UNAVAILABLE")))));

ManagedChannel channel = ManagedChannelBuilder.forTarget("${wish.target}")
    .defaultServiceConfig(serviceConfig)
    .usePlaintext() // or your TLS
    .build();`;
  },
  python: (wish) => `import json

import grpc

service_config = ${writtenJson(configFor('python', wish))}
channel = grpc.insecure_channel(  # or your TLS
    "${wish.target}",
    options=[("grpc.service_config", json.dumps(service_config))],
)`,
  node: (wish) => `import { Client, credentials } from '@grpc/grpc-js';

const serviceConfig = ${writtenJson(configFor('node', wish))};

// Client stands for your generated client, createInsecure() for your TLS
const client = new Client('${wish.target}', credentials.createInsecure(), {
  'grpc.service_config': JSON.stringify(serviceConfig),
});`,
  csharp: (wish) => {
    const balancing = wish.roundRobin ? '\n        LoadBalancingConfigs = { new RoundRobinConfig() },' : '';
    const resolver = wish.roundRobin
      ? `using Grpc.Net.Client.Balancer;
using Microsoft.Extensions.DependencyInjection;

var services = new ServiceCollection();
// asks the name again by itself
services.AddSingleton<ResolverFactory>(_ => new DnsResolverFactory(refreshInterval: TimeSpan.FromSeconds(30)));
`
      : '';
    const provider = wish.roundRobin ? '\n    ServiceProvider = services.BuildServiceProvider(),' : '';
    const address = wish.roundRobin ? wish.target : `http://${wish.target}`;
    return `using System;
using System.Net.Http;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;
${resolver}
var channel = GrpcChannel.ForAddress("${address}", new GrpcChannelOptions
{
    Credentials = ChannelCredentials.Insecure, // or your TLS
    HttpHandler = new SocketsHttpHandler
    {
        // the client's own connection age
        PooledConnectionLifetime = TimeSpan.FromSeconds(${wish.ageSeconds}),
        EnableMultipleHttp2Connections = true,
    },
    ServiceConfig = new ServiceConfig
    {${balancing}
        MethodConfigs =
        {
            new MethodConfig
            {
                Names = { MethodName.Default },
                RetryPolicy = new RetryPolicy
                {
                    MaxAttempts = 4,
                    InitialBackoff = TimeSpan.FromSeconds(0.1),
                    MaxBackoff = TimeSpan.FromSeconds(1),
                    BackoffMultiplier = 2,
                    RetryableStatusCodes = { StatusCode.Unavailable },
                },
            },
        },
    },${provider}
});`;
  },
  cpp: (wish) => `grpc::ChannelArguments arguments;
arguments.SetServiceConfigJSON(R"(${writtenJson(configFor('cpp', wish))})");
auto channel = grpc::CreateCustomChannel("${wish.target}",
    grpc::InsecureChannelCredentials(), arguments); // or your TLS`,
};

/** Health checks only where the library does them. */
function configFor(language: LanguagesWith<'round-robin'>, wish: ClientWish): Record<string, unknown> {
  return serviceConfig({ ...wish, health: wish.health && supportOf(language, 'health').has });
}

/** A channel that asks an xDS control plane; the bootstrap comes from GRPC_XDS_BOOTSTRAP. */
export const xdsCode: Readonly<Record<LanguagesWith<'xds'>, (target: string) => string>> = {
  go: (target) => `import (
	"google.golang.org/grpc"
	xdscredentials "google.golang.org/grpc/credentials/xds"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/xds" // knows xds:///
)

func newClient() (*grpc.ClientConn, error) {
	creds, err := xdscredentials.NewClientCredentials(xdscredentials.ClientOptions{
		FallbackCreds: insecure.NewCredentials(),
	})
	if err != nil {
		return nil, err
	}
	return grpc.NewClient("${target}", grpc.WithTransportCredentials(creds))
}`,
  java: (target) => `import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.xds.XdsChannelCredentials;

// needs io.grpc:grpc-xds
ManagedChannel channel = Grpc.newChannelBuilder("${target}",
    XdsChannelCredentials.create(InsecureChannelCredentials.create()))
    .build();`,
  python: (target) => `import grpc

credentials = grpc.xds_channel_credentials(grpc.experimental.insecure_channel_credentials())
channel = grpc.secure_channel("${target}", credentials)`,
  node: (target) => `import { Client, credentials } from '@grpc/grpc-js';
import { register } from '@grpc/grpc-js-xds';

register(); // knows xds:///
// Client stands for your generated client
const client = new Client('${target}', credentials.createInsecure());`,
  cpp: (target) => `auto channel = grpc::CreateChannel("${target}",
    grpc::XdsCredentials(grpc::InsecureChannelCredentials()));`,
};
