import type { LanguagesWith } from './support.ts';

export interface AgeWish {
  readonly ageSeconds: number;
  readonly graceSeconds: number;
}

/** A connection age at the server. All but tonic add ±10 % jitter by themselves (gRFC A9). */
export const serverCode: Readonly<Record<LanguagesWith<'connection-age'>, (wish: AgeWish) => string>> = {
  go: ({ ageSeconds, graceSeconds }) => `import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

func newServer() *grpc.Server {
	return grpc.NewServer(grpc.KeepaliveParams(keepalive.ServerParameters{
		MaxConnectionAge:      ${ageSeconds} * time.Second,
		MaxConnectionAgeGrace: ${graceSeconds} * time.Second,
	}))
}`,
  java: ({ ageSeconds, graceSeconds }) => `import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.util.concurrent.TimeUnit;

Server server = NettyServerBuilder.forPort(port)
    .maxConnectionAge(${ageSeconds}, TimeUnit.SECONDS)
    .maxConnectionAgeGrace(${graceSeconds}, TimeUnit.SECONDS)
    .addService(service)
    .build();`,
  python: ({ ageSeconds, graceSeconds }) => `from concurrent import futures

import grpc

server = grpc.server(
    futures.ThreadPoolExecutor(max_workers=10),
    options=[
        ("grpc.max_connection_age_ms", ${ageSeconds * 1000}),
        ("grpc.max_connection_age_grace_ms", ${graceSeconds * 1000}),
    ],
)`,
  node: ({ ageSeconds, graceSeconds }) => `import { Server } from '@grpc/grpc-js';

const server = new Server({
  'grpc.max_connection_age_ms': ${ageSeconds * 1000},
  'grpc.max_connection_age_grace_ms': ${graceSeconds * 1000},
});`,

  cpp: ({
    ageSeconds,
    graceSeconds,
  }) => `builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, ${ageSeconds * 1000});
builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, ${graceSeconds * 1000});`,
  rust: ({ ageSeconds }) =>
    `let mut builder = tonic::transport::Server::builder().max_connection_age(std::time::Duration::from_secs(${ageSeconds}));`,
};
