// Written by scripts/schemas.mjs from the JSON Schemas beside it.

export type SkewEvidence = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "SkewEvidence";
  readonly metadata: {
    /** The Service */
    readonly name: string;
    readonly namespace: string;
    readonly context: string | null;
    readonly toolVersion: string;
    /** The time of the last look: what ages are counted from (RFC 3339, UTC) */
    readonly now: string;
  };
  readonly spec: {
    readonly port: string | null;
    /** Distance of the two samples that was asked for; 0: one sample. A report has the measured one */
    readonly askedWindowSeconds?: number;
    /** Until when the second sample might be taken again, while nothing was decided */
    readonly longestWindowSeconds?: number;
    /** What older records call askedWindowSeconds */
    readonly windowSeconds?: number;
  };
  readonly signals: ReadonlyArray<{
    readonly id: "service" | "endpoints" | "usage" | "connections" | "calls" | "probes" | "probe-metrics" | "clients" | "path" | "proxies" | "autoscaling" | "siblings" | "prometheus";
    readonly state: "complete" | "partial" | "forbidden" | "unavailable" | "skipped";
    readonly reason: string | null;
    readonly needs: string | null;
    readonly lookedAt: string | null;
  }>;
  readonly service: {
    readonly name: string;
    readonly namespace: string;
    readonly type: string;
    readonly clusterIP: string | null;
    readonly clusterIPs: ReadonlyArray<string>;
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: ReadonlyArray<{
      readonly name: string | null;
      readonly port: number;
      readonly targetPort: number | string | null;
      readonly protocol: string;
      readonly appProtocol: string | null;
    }>;
    /** None or ClientIP */
    readonly sessionAffinity: string;
    readonly sessionAffinityTimeoutSeconds: number | null;
    readonly internalTrafficPolicy: string | null;
    readonly externalTrafficPolicy: string | null;
    readonly trafficDistribution: string | null;
    readonly topologyMode: string | null;
    readonly publishNotReadyAddresses: boolean;
    readonly createdAt: string | null;
    readonly labels: Readonly<Record<string, string>>;
    /** Of status.loadBalancer */
    readonly loadBalancerAddresses?: ReadonlyArray<string>;
    readonly changes?: ReadonlyArray<{
      /** As the API names who changed the object: kubectl-edit, helm, kube-controller-manager */
      readonly manager: string;
      readonly at: string | null;
      /** Of these fields those that it set */
      readonly fields: ReadonlyArray<"sessionAffinity" | "internalTrafficPolicy" | "externalTrafficPolicy" | "trafficDistribution" | "topologyMode" | "selector" | "replicas">;
      /** It set nothing else, so that the time is that of this field */
      readonly alone: boolean;
    }>;
  } | null;
  readonly endpointSlices: ReadonlyArray<{
    readonly name: string;
    readonly addressType: string;
    readonly managedBy?: "controller" | "mirroring" | "cilium-mesh" | "other-cluster" | "other" | null;
    /** Empty when the slice has none: then its endpoints serve no port of the Service */
    readonly ports: ReadonlyArray<{
      readonly name: string | null;
      readonly port: number | null;
      readonly protocol: string;
      readonly appProtocol: string | null;
    }>;
    readonly endpoints: ReadonlyArray<{
      readonly addresses: ReadonlyArray<string>;
      readonly ready: boolean | null;
      readonly serving: boolean | null;
      readonly terminating: boolean | null;
      readonly pod: {
        readonly name: string;
        readonly namespace: string;
        readonly uid: string;
      } | null;
      readonly nodeName: string | null;
      readonly zone: string | null;
      readonly hintZones: ReadonlyArray<string>;
      readonly hintNodes: ReadonlyArray<string>;
    }>;
  }> | null;
  readonly pods: ReadonlyArray<{
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    /** Only labels that name an app, a team, a release or a revision, and those of the selector */
    readonly labels: Readonly<Record<string, string>>;
    readonly owner: {
      readonly kind: string;
      readonly name: string;
    } | null;
    readonly addresses: ReadonlyArray<string>;
    readonly hostNetwork: boolean;
    readonly hostAddress: string | null;
    readonly nodeName: string | null;
    readonly phase: string | null;
    readonly createdAt: string | null;
    readonly startedAt: string | null;
    readonly deletedAt: string | null;
    readonly ready: boolean | null;
    readonly readySince: string | null;
    readonly containers: ReadonlyArray<{
      readonly name: string;
      readonly image: string;
      /** An init container that keeps running (restartPolicy Always) */
      readonly sidecar: boolean;
      readonly ports: ReadonlyArray<{
        readonly name: string | null;
        readonly port: number;
        readonly protocol: string;
      }>;
      readonly cpuRequestMillicores: number | null;
      readonly cpuLimitMillicores: number | null;
      readonly memoryRequestBytes: number | null;
      readonly memoryLimitBytes: number | null;
      readonly running: boolean;
      readonly ready: boolean;
      /** restartCount */
      readonly restarts: number;
      readonly startedAt: string | null;
      readonly waitingReason: string | null;
      readonly lastTermination: {
        readonly reason: string | null;
        readonly exitCode: number | null;
        readonly finishedAt: string | null;
      } | null;
      readonly probes: ReadonlyArray<{
        readonly type: "liveness" | "readiness" | "startup";
        readonly kind: "grpc" | "httpGet" | "tcpSocket" | "exec";
        readonly port: number | string | null;
        readonly service: string | null;
        /** An exec probe that runs grpc_health_probe */
        readonly grpcHealthProbe: boolean;
        readonly timeoutSeconds: number;
        readonly periodSeconds: number;
        readonly failureThreshold: number;
        /** A mesh has put its own agent in the place of what the probe asked */
        readonly rewritten?: boolean;
      }>;
    }>;
    readonly mesh?: {
      readonly dataplaneMode: "ambient" | "none" | null;
      /** Annotation ambient.istio.io/redirection: the pod is in ambient indeed */
      readonly redirected: boolean;
      readonly useWaypoint: string | null;
      readonly opaquePorts: ReadonlyArray<{
        readonly from: number;
        readonly to: number;
      }> | null;
      readonly xds: "bootstrap" | "grpc-agent" | null;
    } | null;
    readonly metricsEndpoint?: {
      readonly port: number;
      readonly path: string;
      readonly https: boolean;
    } | null;
  }> | null;
  readonly usage: ReadonlyArray<{
    readonly pod: string;
    /** End of the window (RFC 3339, UTC) */
    readonly measuredAt: string;
    readonly windowSeconds: number;
    readonly containers: ReadonlyArray<{
      readonly name: string;
      readonly cpuMillicores: number;
      readonly memoryBytes: number;
    }>;
  }> | null;
  readonly connections: {
    readonly looks: ReadonlyArray<{
      /** Name of the pod */
      readonly pod: string;
      readonly podUid: string;
      readonly container: string | null;
      readonly sample: 1 | 2;
      readonly way: "ss" | "ss-unfiltered" | "netstat" | "proc";
      /** When the answer arrived (RFC 3339, UTC) */
      readonly lookedAt: string;
      /** Established sockets whose local port is wanted; others are dropped */
      readonly sockets: ReadonlyArray<{
        readonly localAddress: string;
        readonly localPort: number;
        readonly peerAddress: string;
        readonly peerPort: number;
        /** Received by the kernel, not yet read by the program */
        readonly receiveQueueBytes?: number;
        /** Sent by the program, not yet acknowledged by the peer */
        readonly sendQueueBytes?: number;
        /** Bytes received over the lifetime of the connection */
        readonly bytesReceived?: number;
        /** Bytes sent and acknowledged over the lifetime of the connection */
        readonly bytesAcked?: number;
        /** Segments with data received over the lifetime: a stand-in for the number of messages */
        readonly segmentsIn?: number;
        /** Segments with data sent over the lifetime */
        readonly segmentsOut?: number;
        /** Milliseconds since data was last received */
        readonly lastReceivedMs?: number;
        /** Milliseconds since data was last sent */
        readonly lastSentMs?: number;
      }>;
      /** Sockets in TIME-WAIT at the wanted ports, where the way shows them */
      readonly timeWait?: number;
      /** Wanted ports at which a process listens; absent where no listening socket was shown */
      readonly listening?: ReadonlyArray<{
        readonly port: number;
        /** On a loopback address alone, which nobody outside the pod reaches */
        readonly loopback: boolean;
      }>;
      /** Rows that could not be read */
      readonly unreadableRows: number;
    }>;
    readonly failures: ReadonlyArray<{
      readonly pod: string;
      readonly podUid: string;
      readonly sample: 1 | 2;
      readonly reason: "forbidden" | "refused" | "no-tool" | "not-running" | "timeout" | "unreachable" | "no-upgrade" | "near-memory-limit" | "not-sampled" | "failed";
      /** In words, with what the server said; without values from the environment */
      readonly message: string;
    }>;
    /** Commands run in containers */
    readonly execs: number;
    /** Those of them that ran in other pods than those of the Service */
    readonly elsewhere?: ReadonlyArray<{
      readonly where: "clients" | "cilium-agents";
      /** Commands run there */
      readonly execs: number;
      /** Pods in which they ran */
      readonly pods: number;
    }>;
  } | null;
  readonly calls?: {
    readonly looks: ReadonlyArray<{
      readonly pod: string;
      readonly podUid: string;
      readonly sample: 1 | 2;
      /** When the answer arrived (RFC 3339, UTC) */
      readonly lookedAt: string;
      readonly family: string | null;
      readonly methods: ReadonlyArray<{
        readonly service: string;
        readonly method: string;
        readonly streaming: boolean | null;
        readonly started: number | null;
        readonly handled: number | null;
        readonly messages: number | null;
        /** Port of the pod that was called; absent where not told */
        readonly port?: number;
      }>;
    }>;
    readonly failures: ReadonlyArray<{
      readonly pod: string;
      readonly podUid: string;
      readonly reason: "forbidden" | "refused-by-pod" | "no-endpoint" | "no-answer" | "failed";
      readonly message: string;
    }>;
  } | null;
  readonly probeMetrics?: {
    readonly looks: ReadonlyArray<{
      readonly node: string;
      readonly sample: 1 | 2;
      /** When the answer arrived (RFC 3339, UTC) */
      readonly lookedAt: string;
      readonly counts: ReadonlyArray<{
        readonly pod: string;
        readonly podUid: string | null;
        readonly container: string;
        readonly type: "liveness" | "readiness" | "startup";
        readonly successful: number;
        readonly failed: number;
        readonly unknown: number;
        /** Old versions count nothing and tell the last result only */
        readonly lastResult?: "successful" | "failed" | "unknown";
        readonly durations: {
          readonly count: number;
          readonly sumSeconds: number;
          readonly p95Seconds: number | null;
        } | null;
      }>;
    }>;
  } | null;
  readonly prometheus?: {
    /** Which one: its URL without credentials, or namespace/service:port */
    readonly source: string;
    readonly way: "url" | "service" | "recording";
    /** Two samples of each pod, as if its own page had been read twice */
    readonly calls: ReadonlyArray<{
      readonly pod: string;
      readonly podUid: string;
      readonly sample: 1 | 2;
      /** When the answer arrived (RFC 3339, UTC) */
      readonly lookedAt: string;
      readonly family: string | null;
      readonly methods: ReadonlyArray<{
        readonly service: string;
        readonly method: string;
        readonly streaming: boolean | null;
        readonly started: number | null;
        readonly handled: number | null;
        readonly messages: number | null;
        /** Port of the pod that was called; absent where not told */
        readonly port?: number;
      }>;
    }>;
    readonly traffic: ReadonlyArray<{
      readonly pod: string;
      readonly podUid: string;
      /** First sample (RFC 3339, UTC) */
      readonly from: string;
      /** Last sample (RFC 3339, UTC) */
      readonly to: string;
      readonly bytes: number;
      readonly packets: number | null;
    }>;
    readonly usage: ReadonlyArray<{
      readonly pod: string;
      readonly podUid: string;
      /** Last sample (RFC 3339, UTC) */
      readonly measuredAt: string;
      readonly windowSeconds: number;
      readonly containers: ReadonlyArray<{
        readonly name: string;
        readonly cpuMillicores: number | null;
        readonly memoryBytes: number | null;
        readonly throttledShare: number | null;
      }>;
    }>;
    readonly probes: ReadonlyArray<{
      readonly node: string;
      readonly sample: 1 | 2;
      /** When the answer arrived (RFC 3339, UTC) */
      readonly lookedAt: string;
      readonly counts: ReadonlyArray<{
        readonly pod: string;
        readonly podUid: string | null;
        readonly container: string;
        readonly type: "liveness" | "readiness" | "startup";
        readonly successful: number;
        readonly failed: number;
        readonly unknown: number;
        /** Old versions count nothing and tell the last result only */
        readonly lastResult?: "successful" | "failed" | "unknown";
        readonly durations: {
          readonly count: number;
          readonly sumSeconds: number;
          readonly p95Seconds: number | null;
        } | null;
      }>;
    }>;
    readonly history: ReadonlyArray<{
      readonly basis: "calls" | "bytes" | "cpu";
      /** First step (RFC 3339, UTC) */
      readonly from: string;
      readonly stepSeconds: number;
      /** Over so many seconds before each step */
      readonly rateSeconds: number;
      readonly pods: ReadonlyArray<{
        readonly pod: string;
        readonly podUid: string | null;
        readonly values: ReadonlyArray<number | null>;
      }>;
    }>;
  } | null;
  readonly peers: {
    readonly scope: "cluster" | "namespace";
    readonly pods: ReadonlyArray<{
      readonly name: string;
      readonly namespace: string;
      readonly addresses: ReadonlyArray<string>;
      readonly hostNetwork: boolean;
      readonly nodeName: string | null;
      readonly startedAt: string | null;
      readonly owner: {
        readonly kind: string;
        readonly name: string;
      } | null;
      readonly labels: Readonly<Record<string, string>>;
      /** Names of its containers that are known mesh proxies */
      readonly meshProxies: ReadonlyArray<string>;
      readonly mesh?: {
        readonly dataplaneMode: "ambient" | "none" | null;
        /** Annotation ambient.istio.io/redirection: the pod is in ambient indeed */
        readonly redirected: boolean;
        readonly useWaypoint: string | null;
        readonly opaquePorts: ReadonlyArray<{
          readonly from: number;
          readonly to: number;
        }> | null;
        readonly xds: "bootstrap" | "grpc-agent" | null;
      } | null;
      readonly role?: "gateway" | "waypoint" | null;
    }>;
  } | null;
  readonly clientLooks?: {
    readonly looks: ReadonlyArray<{
      readonly pod: string;
      readonly namespace: string;
      readonly container: string;
      /** When the answer arrived (RFC 3339, UTC) */
      readonly lookedAt: string;
      readonly dialled: ReadonlyArray<{
        readonly what: "virtual-address" | "pod";
        readonly service: string | null;
        /** Established connections */
        readonly connections: number;
      }>;
      readonly runtime: "java" | "node" | "python" | "dotnet" | "other" | null;
    }>;
    readonly failures: ReadonlyArray<{
      readonly pod: string;
      readonly namespace: string;
      readonly message: string;
    }>;
  } | null;
  readonly formerPods?: ReadonlyArray<{
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    /** Only labels that name an app, a team, a release or a revision, and those of the selector */
    readonly labels: Readonly<Record<string, string>>;
    readonly owner: {
      readonly kind: string;
      readonly name: string;
    } | null;
    readonly addresses: ReadonlyArray<string>;
    readonly hostNetwork: boolean;
    readonly hostAddress: string | null;
    readonly nodeName: string | null;
    readonly phase: string | null;
    readonly createdAt: string | null;
    readonly startedAt: string | null;
    readonly deletedAt: string | null;
    readonly ready: boolean | null;
    readonly readySince: string | null;
    readonly containers: ReadonlyArray<{
      readonly name: string;
      readonly image: string;
      /** An init container that keeps running (restartPolicy Always) */
      readonly sidecar: boolean;
      readonly ports: ReadonlyArray<{
        readonly name: string | null;
        readonly port: number;
        readonly protocol: string;
      }>;
      readonly cpuRequestMillicores: number | null;
      readonly cpuLimitMillicores: number | null;
      readonly memoryRequestBytes: number | null;
      readonly memoryLimitBytes: number | null;
      readonly running: boolean;
      readonly ready: boolean;
      /** restartCount */
      readonly restarts: number;
      readonly startedAt: string | null;
      readonly waitingReason: string | null;
      readonly lastTermination: {
        readonly reason: string | null;
        readonly exitCode: number | null;
        readonly finishedAt: string | null;
      } | null;
      readonly probes: ReadonlyArray<{
        readonly type: "liveness" | "readiness" | "startup";
        readonly kind: "grpc" | "httpGet" | "tcpSocket" | "exec";
        readonly port: number | string | null;
        readonly service: string | null;
        /** An exec probe that runs grpc_health_probe */
        readonly grpcHealthProbe: boolean;
        readonly timeoutSeconds: number;
        readonly periodSeconds: number;
        readonly failureThreshold: number;
        /** A mesh has put its own agent in the place of what the probe asked */
        readonly rewritten?: boolean;
      }>;
    }>;
    readonly mesh?: {
      readonly dataplaneMode: "ambient" | "none" | null;
      /** Annotation ambient.istio.io/redirection: the pod is in ambient indeed */
      readonly redirected: boolean;
      readonly useWaypoint: string | null;
      readonly opaquePorts: ReadonlyArray<{
        readonly from: number;
        readonly to: number;
      }> | null;
      readonly xds: "bootstrap" | "grpc-agent" | null;
    } | null;
    readonly metricsEndpoint?: {
      readonly port: number;
      readonly path: string;
      readonly https: boolean;
    } | null;
  }> | null;
  readonly nodes: ReadonlyArray<{
    readonly name: string;
    readonly addresses: ReadonlyArray<string>;
    readonly podCIDRs: ReadonlyArray<string>;
    readonly zone: string | null;
    readonly instanceType: string | null;
    readonly ready: boolean | null;
  }> | null;
  readonly deployments: ReadonlyArray<{
    readonly name: string;
    readonly namespace: string;
    readonly replicas: number | null;
    readonly currentReplicas: number | null;
    readonly updatedReplicas: number | null;
    readonly readyReplicas: number | null;
    /** The controller has seen the newest generation */
    readonly observed: boolean;
    readonly changes?: ReadonlyArray<{
      /** As the API names who changed the object: kubectl-edit, helm, kube-controller-manager */
      readonly manager: string;
      readonly at: string | null;
      /** Of these fields those that it set */
      readonly fields: ReadonlyArray<"sessionAffinity" | "internalTrafficPolicy" | "externalTrafficPolicy" | "trafficDistribution" | "topologyMode" | "selector" | "replicas">;
      /** It set nothing else, so that the time is that of this field */
      readonly alone: boolean;
    }>;
  }> | null;
  readonly happenings: ReadonlyArray<{
    readonly kind: "scaled";
    readonly workload: {
      readonly kind: string;
      readonly name: string;
    };
    readonly replicaSet: string;
    readonly from: number | null;
    readonly to: number;
    /** How often the very same step was taken */
    readonly times?: number;
    readonly at: string;
  } | {
    readonly kind: "unhealthy";
    readonly pod: string;
    readonly podUid: string | null;
    readonly container: string | null;
    readonly probe: "liveness" | "readiness" | "startup" | "unknown";
    readonly failure: "timeout" | "not-serving" | "unknown-service" | "unimplemented" | "connection" | "connect-timeout" | "tls" | "status" | "other";
    /** How often */
    readonly times: number;
    readonly firstAt: string;
    readonly at: string;
  } | {
    readonly kind: "killed" | "back-off" | "evicted";
    readonly pod: string;
    readonly podUid: string | null;
    /** How often */
    readonly times: number;
    readonly at: string;
  }> | null;
  readonly autoscalers?: ReadonlyArray<{
    readonly name: string;
    readonly target: {
      readonly kind: string;
      readonly name: string;
    };
    readonly minReplicas: number | null;
    readonly maxReplicas: number | null;
    readonly currentReplicas: number | null;
    readonly desiredReplicas: number | null;
    readonly lastScaledAt: string | null;
    readonly metrics: ReadonlyArray<{
      readonly type: string;
      readonly resource: string | null;
      readonly targetUtilization: number | null;
      readonly targetValue: number | null;
      readonly utilization: number | null;
    }>;
  }> | null;
  readonly path?: {
    readonly groups: ReadonlyArray<string> | null;
    readonly service: {
      readonly dataplaneMode: "ambient" | "none" | null;
      /** Annotation ambient.istio.io/redirection: the pod is in ambient indeed */
      readonly redirected: boolean;
      readonly useWaypoint: string | null;
      readonly opaquePorts: ReadonlyArray<{
        readonly from: number;
        readonly to: number;
      }> | null;
      readonly xds: "bootstrap" | "grpc-agent" | null;
    };
    /** Annotation service.cilium.io/lb-l7 is enabled on the Service */
    readonly ciliumL7: boolean;
    /** Annotation of Traefik: it speaks h2c to the Service */
    readonly traefikH2c: boolean;
    readonly namespace: {
      readonly dataplaneMode: "ambient" | "none" | null;
      /** Annotation ambient.istio.io/redirection: the pod is in ambient indeed */
      readonly redirected: boolean;
      readonly useWaypoint: string | null;
      readonly opaquePorts: ReadonlyArray<{
        readonly from: number;
        readonly to: number;
      }> | null;
      readonly xds: "bootstrap" | "grpc-agent" | null;
    } | null;
    readonly waypoints: ReadonlyArray<string> | null;
    readonly routes: ReadonlyArray<{
      readonly kind: "GRPCRoute" | "HTTPRoute" | "VirtualService";
      readonly name: string;
      /** Of the rule that names this Service */
      readonly backends: ReadonlyArray<{
        readonly service: string;
        readonly weight: number;
        readonly subset: string | null;
      }>;
    }> | null;
    readonly destinationRules: ReadonlyArray<{
      readonly name: string;
      readonly consistentHash: boolean;
      readonly subsets: ReadonlyArray<{
        readonly name: string;
        /** Pods that its labels match */
        readonly pods: ReadonlyArray<string>;
      }>;
    }> | null;
    readonly ciliumPolicies: ReadonlyArray<string> | null;
    readonly ingresses: ReadonlyArray<{
      readonly name: string;
      readonly controller: "nginx" | "traefik" | "alb" | "other";
      /** It is told that the backend speaks gRPC or HTTP/2 */
      readonly grpc: boolean;
      /** It is told to dial the virtual address (service-upstream) */
      readonly virtualAddress: boolean;
    }> | null;
    readonly kubeProxyMode: "iptables" | "ipvs" | "nftables" | "userspace" | null;
    readonly kubeProxyReplacement: boolean | null;
    readonly socketLoadBalancing: "all" | "host-only" | "off" | null;
  } | null;
  readonly proxies?: {
    readonly ciliumAgents: ReadonlyArray<{
      readonly node: string;
      readonly lookedAt: string;
      readonly proxy: "ok" | "failing" | "none";
      readonly redirects: number | null;
    }>;
    readonly controlPlane: ReadonlyArray<{
      readonly pod: string;
      readonly lookedAt: string;
      readonly proxies: number | null;
      readonly pushes: ReadonlyArray<{
        readonly type: string;
        readonly count: number;
      }>;
    }>;
  } | null;
  readonly siblings?: ReadonlyArray<{
    readonly name: string;
    readonly namespace: string;
    readonly type: string;
    readonly clusterIP: string | null;
    readonly clusterIPs: ReadonlyArray<string>;
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: ReadonlyArray<{
      readonly name: string | null;
      readonly port: number;
      readonly targetPort: number | string | null;
      readonly protocol: string;
      readonly appProtocol: string | null;
    }>;
    /** None or ClientIP */
    readonly sessionAffinity: string;
    readonly sessionAffinityTimeoutSeconds: number | null;
    readonly internalTrafficPolicy: string | null;
    readonly externalTrafficPolicy: string | null;
    readonly trafficDistribution: string | null;
    readonly topologyMode: string | null;
    readonly publishNotReadyAddresses: boolean;
    readonly createdAt: string | null;
    readonly labels: Readonly<Record<string, string>>;
    /** Of status.loadBalancer */
    readonly loadBalancerAddresses?: ReadonlyArray<string>;
    readonly changes?: ReadonlyArray<{
      /** As the API names who changed the object: kubectl-edit, helm, kube-controller-manager */
      readonly manager: string;
      readonly at: string | null;
      /** Of these fields those that it set */
      readonly fields: ReadonlyArray<"sessionAffinity" | "internalTrafficPolicy" | "externalTrafficPolicy" | "trafficDistribution" | "topologyMode" | "selector" | "replicas">;
      /** It set nothing else, so that the time is that of this field */
      readonly alone: boolean;
    }>;
  }> | null;
  readonly namesakes?: ReadonlyArray<string> | null;
};

export type SkewReport = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "SkewReport";
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly context: string | null;
    /** Flags of kubectl that say which cluster was looked at, where these were given: printed commands carry them */
    readonly connection?: ReadonlyArray<string>;
    /** The time of the last look (RFC 3339) */
    readonly generatedAt: string;
    readonly toolVersion: string;
  };
  readonly spec: {
    readonly port: {
      readonly name: string | null;
      readonly port: number;
      readonly targetPort: number | null;
    } | null;
    readonly portNote: string | null;
    readonly windowSeconds: number | null;
  };
  readonly status: {
    readonly service: {
      readonly type: string;
      readonly headless: boolean;
      readonly selector: Readonly<Record<string, string>>;
      /** Those that name an app, a team or a release */
      readonly labels: Readonly<Record<string, string>>;
      readonly ports: ReadonlyArray<{
        readonly name: string | null;
        readonly port: number;
        readonly targetPort: number | string | null;
        readonly protocol: string;
        readonly appProtocol: string | null;
      }>;
      /** Proxies between clients and pods that choose a pod for each call */
      readonly proxies: ReadonlyArray<string>;
      /** What runs its pods: kind/name */
      readonly workloads?: ReadonlyArray<string>;
      readonly siblings?: ReadonlyArray<{
        readonly name: string;
        readonly type: string;
        readonly headless: boolean;
        readonly publishNotReadyAddresses: boolean;
        readonly selector: Readonly<Record<string, string>>;
        readonly ports: ReadonlyArray<{
          readonly name: string | null;
          readonly port: number;
          readonly targetPort: number | string | null;
          readonly protocol: string;
          readonly appProtocol: string | null;
        }>;
      }> | null;
      readonly namesakes?: ReadonlyArray<string> | null;
    };
    readonly verdict: {
      readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
      readonly kind?: "outage" | "fault" | "by-setting" | "single-pod" | null;
      readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
      readonly source?: "pod-metrics" | "sockets" | "metrics-api" | "prometheus" | "interface" | null;
      readonly span?: "window" | "lifetime" | "moment" | null;
      readonly confidence: "certain" | "likely" | "possible";
      /** One line: "10 pods do the work of 2.7: 7 are idle" */
      readonly summary: string;
      readonly settledBy: string | null;
      readonly settledInSeconds?: number | null;
    };
    /** What is read first, the same in every output */
    readonly headline: {
      readonly since: string | null;
      readonly why: string;
      readonly whyConfidence: "certain" | "likely" | "possible" | null;
      readonly now: string;
      readonly fix: string;
      readonly notSeen: ReadonlyArray<string>;
    };
    readonly impact: {
      readonly level: "none" | "risk" | "harm" | "unknown";
      /** The hottest pod against its limits, restarts */
      readonly text: string;
    };
    readonly skew: {
      /** Ready endpoints of this port that have a pod */
      readonly pods: number;
      /** Of these, how many were measured on the basis */
      readonly seenPods: number;
      /** Under 5 % of the expected share */
      readonly idlePods: number;
      readonly effectivePods: number | null;
      readonly effectivePodsRange: readonly [number, number] | null;
      readonly peakToMean: number | null;
      readonly gini: number | null;
      readonly chance: {
        readonly method: "exact" | "chi-square" | "monte-carlo" | "not-applicable";
        readonly probability: number | null;
        readonly expectedEffectivePods: number | null;
        readonly reason: string | null;
      };
      readonly against?: string | null;
      readonly ageOrder: {
        /** So many of the youngest pods hold no connection */
        readonly youngestIdle: number;
        /** Probability of that if placement did not depend on age */
        readonly probability: number;
      } | null;
    } | null;
    readonly distributions: ReadonlyArray<{
      readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections";
      readonly span: "window" | "lifetime" | "moment";
      readonly seconds: number | null;
      /** Pods with a value */
      readonly pods: number;
      readonly effectivePods: number | null;
      readonly peakToMean: number | null;
      readonly idlePods: number | null;
      readonly events: number | null;
      readonly reading: "even" | "uneven" | "within-noise" | "unknown";
      /** Where the figures come from; interface: what the network interfaces of the pods receive, by Prometheus, so all traffic and not that of the port alone */
      readonly source?: "pod-metrics" | "sockets" | "metrics-api" | "prometheus" | "interface";
    }>;
    /** Hottest first */
    readonly pods: ReadonlyArray<{
      readonly name: string;
      readonly node: string | null;
      readonly zone: string | null;
      /** A ready endpoint of the port */
      readonly endpoint: boolean;
      readonly ready: boolean | null;
      readonly ageSeconds: number | null;
      readonly readySeconds: number | null;
      readonly restarts: number;
      readonly load: number | null;
      readonly expectedShare: number | null;
      readonly shares: {
        readonly connections: number | null;
        readonly bytes: number | null;
        readonly calls: number | null;
        readonly cpu: number | null;
      };
      readonly connections: number | null;
      readonly callsPerSecond: number | null;
      readonly bytesPerSecond: number | null;
      readonly bytesTotal: number | null;
      readonly cpuMillicores: number | null;
      readonly cpuLimitMillicores: number | null;
      readonly throttledShare: number | null;
      readonly receivedPerSecond: number | null;
      readonly memoryBytes: number | null;
      readonly memoryLimitBytes: number | null;
      /** How many even shares of the load it had over the last hour: equal parts of it, the oldest first; null: not known. By Prometheus, on the basis of its first history */
      readonly past?: ReadonlyArray<number | null>;
      readonly marks: ReadonlyArray<"hot" | "idle" | "new" | "not-ready" | "terminating" | "restarted" | "oom-killed" | "not-seen" | "no-metrics">;
      readonly notSeen: string | null;
    }>;
    /** Most connections first */
    readonly clients: ReadonlyArray<{
      /** kind/name; an address where it is no pod that could be seen */
      readonly workload: string;
      readonly kind: "workload" | "gateway" | "mesh-proxy" | "node" | "load-balancer" | "outside" | "address";
      readonly namespace: string | null;
      readonly team: string | null;
      /** Client pods, or addresses */
      readonly pods: number;
      readonly connections: number;
      /** Server pods that it is connected to */
      readonly podsReached: number;
      readonly loadShare: number | null;
      readonly perPod: ReadonlyArray<{
        readonly pod: string;
        readonly connections: number;
      }>;
      readonly bytesPerSecond: number | null;
      readonly startedSeconds: number | null;
      readonly podsSince: number | null;
      /** By its own sockets, where they were looked at */
      readonly dials: ReadonlyArray<{
        readonly what: "virtual-address" | "pod" | "not-known";
        readonly service: string | null;
        readonly connections: number;
      }>;
      readonly runtime: "java" | "node" | "python" | "dotnet" | "other" | null;
    }>;
    readonly path: {
      /** From the client to the pod */
      readonly hops: ReadonlyArray<{
        readonly kind: "client-sidecar" | "server-sidecar" | "ambient" | "waypoint" | "gateway" | "proxyless-xds" | "cilium" | "route" | "destination-rule" | "ingress" | "kube-proxy";
        readonly name: string;
        readonly layer: number | null;
        readonly text: string;
      }>;
      readonly protocol: {
        readonly reading: "http2" | "http1" | "tcp" | "detected";
        readonly from: "appProtocol" | "name" | "port" | null;
        /** What the declaration of the port means to a mesh or gateway */
        readonly text: string;
      };
      /** Nodes whose Cilium agent was asked */
      readonly ciliumAgents?: ReadonlyArray<{
        readonly node: string;
        readonly redirects: number | null;
      }>;
      readonly controlPlane?: {
        readonly pods: number;
        readonly proxies: number | null;
        /** Since it began, by type; eds: endpoints */
        readonly pushes: ReadonlyArray<{
          readonly type: string;
          readonly count: number;
        }>;
      } | null;
      readonly kubeProxyMode: string | null;
      readonly socketLoadBalancing: "all" | "host-only" | "off" | null;
    };
    readonly leftOut: ReadonlyArray<{
      readonly what: string;
      readonly connections: number;
      readonly why: string;
    }>;
    /** Most certain first */
    readonly causes: ReadonlyArray<{
      readonly id: "new-pods-idle" | "restarted-pod" | "few-connections" | "chance" | "pick-first" | "no-re-resolution" | "hot-client" | "session-affinity" | "traffic-distribution" | "topology-hints" | "internal-traffic-policy-local" | "external-traffic-policy-local" | "lb-source" | "node-rules-stale" | "remote-endpoints" | "mesh-bypassed" | "mesh-sees-tcp" | "client-outside-mesh" | "ambient-without-waypoint" | "headless-with-mesh" | "consistent-hash" | "weighted-routing" | "proxy-to-cluster-ip" | "unready-but-connected" | "pods-not-ready" | "endpoints-missing" | "port-not-served" | "single-endpoint" | "probe-misconfigured" | "probe-failing" | "uneven-work" | "unequal-pods" | "addressed-by-name" | "not-grpc" | "too-soon" | "rollout-in-progress" | "rolling-restart-order" | "hot-connection" | "long-streams" | "draining" | "connection-churn" | "re-dealt" | "connection-leak" | "stream-limit" | "stuck-pod";
      readonly title: string;
      readonly confidence: "certain" | "likely" | "possible";
      /** Why, in one line, with this Service’s numbers */
      readonly text: string;
      /** What speaks for it */
      readonly evidence: ReadonlyArray<string>;
      /** What speaks against it */
      readonly against: ReadonlyArray<string>;
      /** What would settle it */
      readonly settledBy: ReadonlyArray<string>;
    }>;
    readonly recommendation: {
      readonly strategy: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds";
      readonly action: "keep" | "complete" | "repair" | "adopt";
      readonly current: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds";
      /** Number of the row of the list of rules that decided */
      readonly rule: number;
      /** One line for people */
      readonly text: string;
      /** What to do before anything else */
      readonly first: ReadonlyArray<string>;
      /** For each of first the command that shows more; null: none */
      readonly commands?: ReadonlyArray<string | null>;
      readonly alternative: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds" | null;
      /** Reasons */
      readonly because: ReadonlyArray<string>;
      readonly ownership: "owned" | "third-party" | "mixed" | "unknown";
      /** How the ownership of the clients was inferred */
      readonly ownershipBasis: string;
      readonly strategies: ReadonlyArray<{
        readonly id: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds";
        readonly title: string;
        /** What speaks for it here */
        readonly fits: ReadonlyArray<string>;
        /** What speaks against it here */
        readonly against: ReadonlyArray<string>;
        readonly preconditions: ReadonlyArray<{
          readonly text: string;
          readonly status: "met" | "failed" | "unknown";
        }>;
        readonly prediction: {
          readonly effectivePods: number | null;
          readonly effectivePodsRange: readonly [number, number] | null;
          readonly peakToMean: number | null;
          /** When a new pod gets its share */
          readonly newPod: string;
          readonly newPodSeconds?: number | null;
          readonly connections?: number | null;
          readonly reconnectsPerSecond?: number | null;
          /** The connection age that the server would have */
          readonly connectionAgeSeconds?: number;
          /** What it costs */
          readonly cost: ReadonlyArray<string>;
        };
      }>;
      /** The age that a MaxConnectionAge would have here */
      readonly connectionAgeSeconds: number;
    };
    readonly relief: ReadonlyArray<{
      readonly action: string;
      readonly command: string | null;
      readonly prediction: string;
      readonly risk: string;
    }>;
    /** What not to do */
    readonly avoid: ReadonlyArray<string>;
    readonly probes: ReadonlyArray<{
      readonly container: string;
      readonly type: "liveness" | "readiness" | "startup";
      readonly kind: "grpc" | "httpGet" | "tcpSocket" | "exec";
      readonly port: number | string | null;
      readonly service: string | null;
      readonly timeoutSeconds: number;
      readonly periodSeconds: number;
      /** Pods that have it */
      readonly pods: number;
      readonly countedBy?: "kubelet" | "prometheus" | null;
      readonly failedPods: number | null;
      /** Failures that Events tell */
      readonly failures: number;
      readonly counted: {
        /** Since the containers, or their kubelets, began */
        readonly successful: number;
        readonly failed: number;
        readonly unknown: number;
        readonly window: {
          readonly probes: number;
          readonly failed: number;
        } | null;
        readonly meanSeconds: number | null;
        readonly p95Seconds: number | null;
      } | null;
    }>;
    readonly prometheus: {
      /** Its URL without credentials, or namespace/service:port */
      readonly source: string;
      readonly way: "url" | "service" | "recording";
      /** The load over the last hour */
      readonly history: ReadonlyArray<{
        readonly basis: "calls" | "bytes" | "cpu";
        readonly stepSeconds: number;
        /** Each point stands for so many seconds before it */
        readonly rateSeconds: number;
        readonly evenUntil: string | null;
        readonly unevenSince: string | null;
        readonly points: ReadonlyArray<{
          readonly time: string;
          /** That were there */
          readonly pods: number;
          readonly effectivePods: number;
          readonly peakToMean: number;
          readonly reading: "even" | "uneven";
        }>;
      }>;
    } | null;
    /** Newest first, at most five */
    readonly timeline: ReadonlyArray<{
      readonly time: string;
      readonly text: string;
    }>;
    readonly signals: ReadonlyArray<{
      readonly id: string;
      readonly state: "complete" | "partial" | "forbidden" | "unavailable" | "skipped";
      readonly reason: string | null;
      readonly needs: string | null;
      readonly settles: string | null;
      readonly ageSeconds: number | null;
    }>;
    readonly warnings: ReadonlyArray<{
      readonly id: string;
      readonly text: string;
    }>;
    /** Commands run in containers */
    readonly execs: number;
    /** Pods of the Service in which commands ran */
    readonly execPods: number;
    /** Those of `execs` that ran in other pods than those of the Service */
    readonly execsElsewhere?: ReadonlyArray<{
      readonly where: "clients" | "cilium-agents";
      /** Commands run there */
      readonly execs: number;
      /** Pods in which they ran */
      readonly pods: number;
    }>;
    /** Pods by the command that answered: ss, netstat or proc (/proc/net/tcp); only ss knows bytes */
    readonly execWays: Readonly<Record<string, number>>;
    /** The limits that the verdict used */
    readonly limits: Readonly<Record<string, number>>;
    /** With the run that --baseline names */
    readonly comparison?: {
      readonly result: "improved" | "unchanged" | "worse" | "cannot-tell";
      readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
      /** One line: "by calls: 9.4 of 10 pods used, before 2.7 of 10" */
      readonly text: string;
      readonly before: {
        /** The time of its last look (RFC 3339) */
        readonly generatedAt: string;
        readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
        /** Ready endpoints of the port that have a pod */
        readonly pods: number;
        readonly basis?: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
        readonly span?: "window" | "lifetime" | "moment" | null;
        readonly effectivePods: number | null;
        readonly effectivePodsRange: readonly [number, number] | null;
        readonly hottestPod: string | null;
        readonly hottestShare: number | null;
      };
      readonly after: {
        /** The time of its last look (RFC 3339) */
        readonly generatedAt: string;
        readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
        /** Ready endpoints of the port that have a pod */
        readonly pods: number;
        readonly basis?: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
        readonly span?: "window" | "lifetime" | "moment" | null;
        readonly effectivePods: number | null;
        readonly effectivePodsRange: readonly [number, number] | null;
        readonly hottestPod: string | null;
        readonly hottestShare: number | null;
      };
      /** Another pod is hot than before */
      readonly hotPodMoved: boolean;
      /** Pods that the first run measured and that the second one shows, but did not measure */
      readonly leftOut: ReadonlyArray<string>;
      /** What to know of the two runs */
      readonly notes: ReadonlyArray<string>;
      readonly settledBy: string | null;
      readonly settledInSeconds?: number | null;
    };
  };
};

export type SkewReportList = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "SkewReportList";
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly context: string | null;
    /** Flags of kubectl that say which cluster was looked at, where these were given: printed commands carry them */
    readonly connection?: ReadonlyArray<string>;
    /** The time of the last look (RFC 3339) */
    readonly generatedAt: string;
    readonly toolVersion: string;
  };
  /** In the order of the ports of the Service */
  readonly items: ReadonlyArray<{
    readonly apiVersion: "grpc-skew/v1alpha1";
    readonly kind: "SkewReport";
    readonly metadata: {
      readonly name: string;
      readonly namespace: string;
      readonly context: string | null;
      /** Flags of kubectl that say which cluster was looked at, where these were given: printed commands carry them */
      readonly connection?: ReadonlyArray<string>;
      /** The time of the last look (RFC 3339) */
      readonly generatedAt: string;
      readonly toolVersion: string;
    };
    readonly spec: {
      readonly port: {
        readonly name: string | null;
        readonly port: number;
        readonly targetPort: number | null;
      } | null;
      readonly portNote: string | null;
      readonly windowSeconds: number | null;
    };
    readonly status: {
      readonly service: {
        readonly type: string;
        readonly headless: boolean;
        readonly selector: Readonly<Record<string, string>>;
        /** Those that name an app, a team or a release */
        readonly labels: Readonly<Record<string, string>>;
        readonly ports: ReadonlyArray<{
          readonly name: string | null;
          readonly port: number;
          readonly targetPort: number | string | null;
          readonly protocol: string;
          readonly appProtocol: string | null;
        }>;
        /** Proxies between clients and pods that choose a pod for each call */
        readonly proxies: ReadonlyArray<string>;
        /** What runs its pods: kind/name */
        readonly workloads?: ReadonlyArray<string>;
        readonly siblings?: ReadonlyArray<{
          readonly name: string;
          readonly type: string;
          readonly headless: boolean;
          readonly publishNotReadyAddresses: boolean;
          readonly selector: Readonly<Record<string, string>>;
          readonly ports: ReadonlyArray<{
            readonly name: string | null;
            readonly port: number;
            readonly targetPort: number | string | null;
            readonly protocol: string;
            readonly appProtocol: string | null;
          }>;
        }> | null;
        readonly namesakes?: ReadonlyArray<string> | null;
      };
      readonly verdict: {
        readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
        readonly kind?: "outage" | "fault" | "by-setting" | "single-pod" | null;
        readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
        readonly source?: "pod-metrics" | "sockets" | "metrics-api" | "prometheus" | "interface" | null;
        readonly span?: "window" | "lifetime" | "moment" | null;
        readonly confidence: "certain" | "likely" | "possible";
        /** One line: "10 pods do the work of 2.7: 7 are idle" */
        readonly summary: string;
        readonly settledBy: string | null;
        readonly settledInSeconds?: number | null;
      };
      /** What is read first, the same in every output */
      readonly headline: {
        readonly since: string | null;
        readonly why: string;
        readonly whyConfidence: "certain" | "likely" | "possible" | null;
        readonly now: string;
        readonly fix: string;
        readonly notSeen: ReadonlyArray<string>;
      };
      readonly impact: {
        readonly level: "none" | "risk" | "harm" | "unknown";
        /** The hottest pod against its limits, restarts */
        readonly text: string;
      };
      readonly skew: {
        /** Ready endpoints of this port that have a pod */
        readonly pods: number;
        /** Of these, how many were measured on the basis */
        readonly seenPods: number;
        /** Under 5 % of the expected share */
        readonly idlePods: number;
        readonly effectivePods: number | null;
        readonly effectivePodsRange: readonly [number, number] | null;
        readonly peakToMean: number | null;
        readonly gini: number | null;
        readonly chance: {
          readonly method: "exact" | "chi-square" | "monte-carlo" | "not-applicable";
          readonly probability: number | null;
          readonly expectedEffectivePods: number | null;
          readonly reason: string | null;
        };
        readonly against?: string | null;
        readonly ageOrder: {
          /** So many of the youngest pods hold no connection */
          readonly youngestIdle: number;
          /** Probability of that if placement did not depend on age */
          readonly probability: number;
        } | null;
      } | null;
      readonly distributions: ReadonlyArray<{
        readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections";
        readonly span: "window" | "lifetime" | "moment";
        readonly seconds: number | null;
        /** Pods with a value */
        readonly pods: number;
        readonly effectivePods: number | null;
        readonly peakToMean: number | null;
        readonly idlePods: number | null;
        readonly events: number | null;
        readonly reading: "even" | "uneven" | "within-noise" | "unknown";
        /** Where the figures come from; interface: what the network interfaces of the pods receive, by Prometheus, so all traffic and not that of the port alone */
        readonly source?: "pod-metrics" | "sockets" | "metrics-api" | "prometheus" | "interface";
      }>;
      /** Hottest first */
      readonly pods: ReadonlyArray<{
        readonly name: string;
        readonly node: string | null;
        readonly zone: string | null;
        /** A ready endpoint of the port */
        readonly endpoint: boolean;
        readonly ready: boolean | null;
        readonly ageSeconds: number | null;
        readonly readySeconds: number | null;
        readonly restarts: number;
        readonly load: number | null;
        readonly expectedShare: number | null;
        readonly shares: {
          readonly connections: number | null;
          readonly bytes: number | null;
          readonly calls: number | null;
          readonly cpu: number | null;
        };
        readonly connections: number | null;
        readonly callsPerSecond: number | null;
        readonly bytesPerSecond: number | null;
        readonly bytesTotal: number | null;
        readonly cpuMillicores: number | null;
        readonly cpuLimitMillicores: number | null;
        readonly throttledShare: number | null;
        readonly receivedPerSecond: number | null;
        readonly memoryBytes: number | null;
        readonly memoryLimitBytes: number | null;
        /** How many even shares of the load it had over the last hour: equal parts of it, the oldest first; null: not known. By Prometheus, on the basis of its first history */
        readonly past?: ReadonlyArray<number | null>;
        readonly marks: ReadonlyArray<"hot" | "idle" | "new" | "not-ready" | "terminating" | "restarted" | "oom-killed" | "not-seen" | "no-metrics">;
        readonly notSeen: string | null;
      }>;
      /** Most connections first */
      readonly clients: ReadonlyArray<{
        /** kind/name; an address where it is no pod that could be seen */
        readonly workload: string;
        readonly kind: "workload" | "gateway" | "mesh-proxy" | "node" | "load-balancer" | "outside" | "address";
        readonly namespace: string | null;
        readonly team: string | null;
        /** Client pods, or addresses */
        readonly pods: number;
        readonly connections: number;
        /** Server pods that it is connected to */
        readonly podsReached: number;
        readonly loadShare: number | null;
        readonly perPod: ReadonlyArray<{
          readonly pod: string;
          readonly connections: number;
        }>;
        readonly bytesPerSecond: number | null;
        readonly startedSeconds: number | null;
        readonly podsSince: number | null;
        /** By its own sockets, where they were looked at */
        readonly dials: ReadonlyArray<{
          readonly what: "virtual-address" | "pod" | "not-known";
          readonly service: string | null;
          readonly connections: number;
        }>;
        readonly runtime: "java" | "node" | "python" | "dotnet" | "other" | null;
      }>;
      readonly path: {
        /** From the client to the pod */
        readonly hops: ReadonlyArray<{
          readonly kind: "client-sidecar" | "server-sidecar" | "ambient" | "waypoint" | "gateway" | "proxyless-xds" | "cilium" | "route" | "destination-rule" | "ingress" | "kube-proxy";
          readonly name: string;
          readonly layer: number | null;
          readonly text: string;
        }>;
        readonly protocol: {
          readonly reading: "http2" | "http1" | "tcp" | "detected";
          readonly from: "appProtocol" | "name" | "port" | null;
          /** What the declaration of the port means to a mesh or gateway */
          readonly text: string;
        };
        /** Nodes whose Cilium agent was asked */
        readonly ciliumAgents?: ReadonlyArray<{
          readonly node: string;
          readonly redirects: number | null;
        }>;
        readonly controlPlane?: {
          readonly pods: number;
          readonly proxies: number | null;
          /** Since it began, by type; eds: endpoints */
          readonly pushes: ReadonlyArray<{
            readonly type: string;
            readonly count: number;
          }>;
        } | null;
        readonly kubeProxyMode: string | null;
        readonly socketLoadBalancing: "all" | "host-only" | "off" | null;
      };
      readonly leftOut: ReadonlyArray<{
        readonly what: string;
        readonly connections: number;
        readonly why: string;
      }>;
      /** Most certain first */
      readonly causes: ReadonlyArray<{
        readonly id: "new-pods-idle" | "restarted-pod" | "few-connections" | "chance" | "pick-first" | "no-re-resolution" | "hot-client" | "session-affinity" | "traffic-distribution" | "topology-hints" | "internal-traffic-policy-local" | "external-traffic-policy-local" | "lb-source" | "node-rules-stale" | "remote-endpoints" | "mesh-bypassed" | "mesh-sees-tcp" | "client-outside-mesh" | "ambient-without-waypoint" | "headless-with-mesh" | "consistent-hash" | "weighted-routing" | "proxy-to-cluster-ip" | "unready-but-connected" | "pods-not-ready" | "endpoints-missing" | "port-not-served" | "single-endpoint" | "probe-misconfigured" | "probe-failing" | "uneven-work" | "unequal-pods" | "addressed-by-name" | "not-grpc" | "too-soon" | "rollout-in-progress" | "rolling-restart-order" | "hot-connection" | "long-streams" | "draining" | "connection-churn" | "re-dealt" | "connection-leak" | "stream-limit" | "stuck-pod";
        readonly title: string;
        readonly confidence: "certain" | "likely" | "possible";
        /** Why, in one line, with this Service’s numbers */
        readonly text: string;
        /** What speaks for it */
        readonly evidence: ReadonlyArray<string>;
        /** What speaks against it */
        readonly against: ReadonlyArray<string>;
        /** What would settle it */
        readonly settledBy: ReadonlyArray<string>;
      }>;
      readonly recommendation: {
        readonly strategy: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds";
        readonly action: "keep" | "complete" | "repair" | "adopt";
        readonly current: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds";
        /** Number of the row of the list of rules that decided */
        readonly rule: number;
        /** One line for people */
        readonly text: string;
        /** What to do before anything else */
        readonly first: ReadonlyArray<string>;
        /** For each of first the command that shows more; null: none */
        readonly commands?: ReadonlyArray<string | null>;
        readonly alternative: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds" | null;
        /** Reasons */
        readonly because: ReadonlyArray<string>;
        readonly ownership: "owned" | "third-party" | "mixed" | "unknown";
        /** How the ownership of the clients was inferred */
        readonly ownershipBasis: string;
        readonly strategies: ReadonlyArray<{
          readonly id: "cluster-ip" | "max-connection-age" | "headless-round-robin" | "l7-proxy" | "proxyless-xds";
          readonly title: string;
          /** What speaks for it here */
          readonly fits: ReadonlyArray<string>;
          /** What speaks against it here */
          readonly against: ReadonlyArray<string>;
          readonly preconditions: ReadonlyArray<{
            readonly text: string;
            readonly status: "met" | "failed" | "unknown";
          }>;
          readonly prediction: {
            readonly effectivePods: number | null;
            readonly effectivePodsRange: readonly [number, number] | null;
            readonly peakToMean: number | null;
            /** When a new pod gets its share */
            readonly newPod: string;
            readonly newPodSeconds?: number | null;
            readonly connections?: number | null;
            readonly reconnectsPerSecond?: number | null;
            /** The connection age that the server would have */
            readonly connectionAgeSeconds?: number;
            /** What it costs */
            readonly cost: ReadonlyArray<string>;
          };
        }>;
        /** The age that a MaxConnectionAge would have here */
        readonly connectionAgeSeconds: number;
      };
      readonly relief: ReadonlyArray<{
        readonly action: string;
        readonly command: string | null;
        readonly prediction: string;
        readonly risk: string;
      }>;
      /** What not to do */
      readonly avoid: ReadonlyArray<string>;
      readonly probes: ReadonlyArray<{
        readonly container: string;
        readonly type: "liveness" | "readiness" | "startup";
        readonly kind: "grpc" | "httpGet" | "tcpSocket" | "exec";
        readonly port: number | string | null;
        readonly service: string | null;
        readonly timeoutSeconds: number;
        readonly periodSeconds: number;
        /** Pods that have it */
        readonly pods: number;
        readonly countedBy?: "kubelet" | "prometheus" | null;
        readonly failedPods: number | null;
        /** Failures that Events tell */
        readonly failures: number;
        readonly counted: {
          /** Since the containers, or their kubelets, began */
          readonly successful: number;
          readonly failed: number;
          readonly unknown: number;
          readonly window: {
            readonly probes: number;
            readonly failed: number;
          } | null;
          readonly meanSeconds: number | null;
          readonly p95Seconds: number | null;
        } | null;
      }>;
      readonly prometheus: {
        /** Its URL without credentials, or namespace/service:port */
        readonly source: string;
        readonly way: "url" | "service" | "recording";
        /** The load over the last hour */
        readonly history: ReadonlyArray<{
          readonly basis: "calls" | "bytes" | "cpu";
          readonly stepSeconds: number;
          /** Each point stands for so many seconds before it */
          readonly rateSeconds: number;
          readonly evenUntil: string | null;
          readonly unevenSince: string | null;
          readonly points: ReadonlyArray<{
            readonly time: string;
            /** That were there */
            readonly pods: number;
            readonly effectivePods: number;
            readonly peakToMean: number;
            readonly reading: "even" | "uneven";
          }>;
        }>;
      } | null;
      /** Newest first, at most five */
      readonly timeline: ReadonlyArray<{
        readonly time: string;
        readonly text: string;
      }>;
      readonly signals: ReadonlyArray<{
        readonly id: string;
        readonly state: "complete" | "partial" | "forbidden" | "unavailable" | "skipped";
        readonly reason: string | null;
        readonly needs: string | null;
        readonly settles: string | null;
        readonly ageSeconds: number | null;
      }>;
      readonly warnings: ReadonlyArray<{
        readonly id: string;
        readonly text: string;
      }>;
      /** Commands run in containers */
      readonly execs: number;
      /** Pods of the Service in which commands ran */
      readonly execPods: number;
      /** Those of `execs` that ran in other pods than those of the Service */
      readonly execsElsewhere?: ReadonlyArray<{
        readonly where: "clients" | "cilium-agents";
        /** Commands run there */
        readonly execs: number;
        /** Pods in which they ran */
        readonly pods: number;
      }>;
      /** Pods by the command that answered: ss, netstat or proc (/proc/net/tcp); only ss knows bytes */
      readonly execWays: Readonly<Record<string, number>>;
      /** The limits that the verdict used */
      readonly limits: Readonly<Record<string, number>>;
      /** With the run that --baseline names */
      readonly comparison?: {
        readonly result: "improved" | "unchanged" | "worse" | "cannot-tell";
        readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
        /** One line: "by calls: 9.4 of 10 pods used, before 2.7 of 10" */
        readonly text: string;
        readonly before: {
          /** The time of its last look (RFC 3339) */
          readonly generatedAt: string;
          readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
          /** Ready endpoints of the port that have a pod */
          readonly pods: number;
          readonly basis?: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
          readonly span?: "window" | "lifetime" | "moment" | null;
          readonly effectivePods: number | null;
          readonly effectivePodsRange: readonly [number, number] | null;
          readonly hottestPod: string | null;
          readonly hottestShare: number | null;
        };
        readonly after: {
          /** The time of its last look (RFC 3339) */
          readonly generatedAt: string;
          readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
          /** Ready endpoints of the port that have a pod */
          readonly pods: number;
          readonly basis?: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
          readonly span?: "window" | "lifetime" | "moment" | null;
          readonly effectivePods: number | null;
          readonly effectivePodsRange: readonly [number, number] | null;
          readonly hottestPod: string | null;
          readonly hottestShare: number | null;
        };
        /** Another pod is hot than before */
        readonly hotPodMoved: boolean;
        /** Pods that the first run measured and that the second one shows, but did not measure */
        readonly leftOut: ReadonlyArray<string>;
        /** What to know of the two runs */
        readonly notes: ReadonlyArray<string>;
        readonly settledBy: string | null;
        readonly settledInSeconds?: number | null;
      };
    };
  }>;
};

export type ProbeCensus = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "ProbeCensus";
  readonly metadata: {
    readonly namespace: string | null;
    readonly context: string | null;
    /** The time of the last look (RFC 3339) */
    readonly generatedAt: string;
    readonly toolVersion: string;
  };
  readonly status: {
    /** Pods that have not ended */
    readonly pods: number;
    readonly podsWithProbes: number;
    readonly workloads: number;
    /** Probes of containers in these pods */
    readonly probes: number;
    readonly kinds: {
      readonly httpGet: number;
      readonly exec: number;
      readonly tcpSocket: number;
      readonly grpc: number;
    };
    readonly byType: ReadonlyArray<{
      readonly type: "liveness" | "readiness" | "startup";
      readonly httpGet: number;
      readonly exec: number;
      readonly tcpSocket: number;
      readonly grpc: number;
    }>;
    readonly results: ReadonlyArray<{
      readonly type: "liveness" | "readiness" | "startup";
      /** Since the containers, or their kubelets, began */
      readonly successful: number;
      readonly failed: number;
      readonly unknown: number;
      readonly window: {
        readonly probes: number;
        readonly failed: number;
      } | null;
      readonly meanSeconds: number | null;
      readonly p95Seconds: number | null;
    }> | null;
    readonly grpcProbes: ReadonlyArray<{
      readonly namespace: string;
      /** kind/name */
      readonly workload: string;
      readonly container: string;
      readonly type: "liveness" | "readiness" | "startup";
      readonly kind: "grpc" | "exec";
      readonly port: number | string | null;
      readonly service: string | null;
      readonly periodSeconds: number;
      readonly timeoutSeconds: number;
      /** Pods that have it */
      readonly pods: number;
      readonly failedPods: number | null;
      /** Failures that Events tell */
      readonly failures: number;
      /** Of what kind they are */
      readonly failureKinds: ReadonlyArray<string>;
      readonly counted: {
        /** Since the containers, or their kubelets, began */
        readonly successful: number;
        readonly failed: number;
        readonly unknown: number;
        readonly window: {
          readonly probes: number;
          readonly failed: number;
        } | null;
        readonly meanSeconds: number | null;
        readonly p95Seconds: number | null;
      } | null;
    }>;
    /** Most certain first */
    readonly findings: ReadonlyArray<{
      readonly id: "unknown-service" | "tls-mismatch" | "no-health-service" | "timeout-too-short" | "liveness-restarts-together" | "liveness-restarts" | "probe-one-second" | "no-readiness-probe" | "probe-rewritten";
      readonly confidence: "certain" | "likely" | "possible";
      readonly namespace: string;
      readonly workload: string;
      readonly container: string | null;
      readonly pods: number;
      readonly text: string;
      readonly evidence: ReadonlyArray<string>;
      readonly settledBy: ReadonlyArray<string>;
    }>;
    readonly signals: ReadonlyArray<{
      readonly id: string;
      readonly state: "complete" | "partial" | "forbidden" | "unavailable" | "skipped";
      readonly reason: string | null;
      readonly needs: string | null;
      readonly settles: string | null;
      readonly ageSeconds: number | null;
    }>;
  };
};

export type SkewScan = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "SkewScan";
  readonly metadata: {
    readonly namespace: string | null;
    readonly context: string | null;
    /** Flags of kubectl that say which cluster was looked at, where these were given: printed commands carry them */
    readonly connection?: ReadonlyArray<string>;
    /** The time of the last look (RFC 3339) */
    readonly generatedAt: string;
    readonly toolVersion: string;
  };
  readonly status: {
    /** Services that were listed */
    readonly services: number;
    /** Of these, how many have a port that looks like gRPC */
    readonly looksLikeGrpc: number;
    /** One for each such port, worst first */
    readonly items: ReadonlyArray<{
      readonly namespace: string;
      /** The Service */
      readonly name: string;
      readonly port: {
        readonly name: string | null;
        readonly port: number;
      };
      readonly sign: "app-protocol" | "port-name" | "grpc-probe" | "container-port";
      readonly state: "skewed" | "balanced" | "not-load-balancing" | "no-traffic" | "unknown";
      readonly kind?: "outage" | "fault" | "by-setting" | "single-pod" | null;
      readonly basis: "messages" | "calls" | "bytes" | "cpu" | "connections" | null;
      readonly confidence: "certain" | "likely" | "possible";
      readonly summary: string;
      readonly cause: "new-pods-idle" | "restarted-pod" | "few-connections" | "chance" | "pick-first" | "no-re-resolution" | "hot-client" | "session-affinity" | "traffic-distribution" | "topology-hints" | "internal-traffic-policy-local" | "external-traffic-policy-local" | "lb-source" | "node-rules-stale" | "remote-endpoints" | "mesh-bypassed" | "mesh-sees-tcp" | "client-outside-mesh" | "ambient-without-waypoint" | "headless-with-mesh" | "consistent-hash" | "weighted-routing" | "proxy-to-cluster-ip" | "unready-but-connected" | "pods-not-ready" | "endpoints-missing" | "port-not-served" | "single-endpoint" | "probe-misconfigured" | "probe-failing" | "uneven-work" | "unequal-pods" | "addressed-by-name" | "not-grpc" | "too-soon" | "rollout-in-progress" | "rolling-restart-order" | "hot-connection" | "long-streams" | "draining" | "connection-churn" | "re-dealt" | "connection-leak" | "stream-limit" | "stuck-pod" | null;
      readonly impact: {
        readonly level: "none" | "risk" | "harm" | "unknown";
        /** The hottest pod against its limits, restarts */
        readonly text: string;
      };
      /** Ready endpoints of this port that have a pod */
      readonly pods: number;
      /** Of these, how many were measured on the basis */
      readonly seenPods: number;
      readonly idlePods: number;
      readonly effectivePods: number | null;
      readonly peakToMean: number | null;
      readonly hottest: {
        readonly pod: string;
        readonly cpuMillicores: number;
        readonly cpuPart: number | null;
      } | null;
      /** Of all its pods */
      readonly restarts: number;
      /** Harm (1 to 3) × the part of the pods that is of no use (0 to 1) */
      readonly score: number;
      /** Commands run in its pods */
      readonly execs: number;
    }>;
    /** They look like gRPC, but cannot be diagnosed */
    readonly skipped: ReadonlyArray<{
      readonly namespace: string;
      readonly name: string;
      readonly reason: string;
    }>;
    readonly signals: ReadonlyArray<{
      readonly id: string;
      readonly state: "complete" | "partial" | "forbidden" | "unavailable" | "skipped";
      readonly reason: string | null;
      readonly needs: string | null;
      readonly settles: string | null;
      readonly ageSeconds: number | null;
    }>;
  };
};

export type SkewExplanation = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "SkewExplanation";
  readonly topic: "cause" | "strategy" | "signal" | "state" | "kind" | "comparison" | "term" | "line" | "column" | "mark" | "warning" | "rule";
  readonly id: string;
  /** What it is, in one line */
  readonly title: string;
  readonly sections: ReadonlyArray<{
    readonly name: "what" | "means" | "looks-like" | "confidence" | "rivals" | "fits-when" | "presupposes" | "new-pods" | "costs" | "source" | "fallback" | "needs" | "settles" | "exit-code";
    /** Its sentences */
    readonly texts: ReadonlyArray<string>;
  }>;
};

export type SkewExplanationList = {
  readonly apiVersion: "grpc-skew/v1alpha1";
  readonly kind: "SkewExplanationList";
  readonly items: ReadonlyArray<{
    readonly topic: "cause" | "strategy" | "signal" | "state" | "kind" | "comparison" | "term" | "line" | "column" | "mark" | "warning" | "rule";
    readonly id: string;
    /** What it is, in one line */
    readonly title: string;
  }>;
};
