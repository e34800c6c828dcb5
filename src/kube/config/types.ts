/** A kubeconfig after merging: names to entries, paths absolute, fields that are empty or of a wrong type left out. */

export interface KubeconfigCluster {
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly certificateAuthority?: string;
  /** Base64 of PEM. */
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
  readonly disableCompression: boolean;
  /** Extension `client.authentication.k8s.io/exec`: handed to exec plugins as `spec.cluster.config`. */
  readonly execConfig?: unknown;
}

/** Of the protocol between client and credential plugin, the newest first. */
export const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;

export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  readonly installHint?: string;
  /** `Never`, `IfAvailable` or `Always`; empty where v1 is asked for and it is not said. */
  readonly interactiveMode: string;
  readonly provideClusterInfo: boolean;
}

export interface Impersonation {
  readonly user?: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface KubeconfigUser {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly clientCertificate?: string;
  /** Base64 of PEM. */
  readonly clientCertificateData?: string;
  readonly clientKey?: string;
  /** Base64 of PEM. */
  readonly clientKeyData?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonation: Impersonation;
  readonly exec?: ExecPlugin;
  readonly authProvider?: { readonly name: string; readonly config: Readonly<Record<string, unknown>> };
}

export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

export interface Kubeconfig {
  readonly currentContext?: string;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
}

/** One cluster, as one user, in one namespace: what a client is opened with. */
export interface ClusterConnection {
  readonly context: string;
  readonly namespace: string;
  /** Absolute `http:` or `https:` URL without a slash at its end; may have a path. */
  readonly server: string;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
}

/** Whether what is sent to this server is encrypted. Without it no credential leaves. */
export function isTls(server: string): boolean {
  return server.startsWith('https:');
}
