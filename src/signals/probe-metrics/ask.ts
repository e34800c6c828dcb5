import type { KubeClient, KubeResult, TimedText } from '../../kube/types.ts';

/**
 * Asks a kubelet what it has counted of its probes, through the API server. `get nodes/proxy` also reaches kubelet's exec
 * (KEP-2862), so nothing asks for this unless somebody said so.
 */
export function askProbeMetrics(kube: KubeClient, node: string, signal?: AbortSignal): Promise<KubeResult<TimedText>> {
  return kube.getText(`/api/v1/nodes/${encodeURIComponent(node)}/proxy/metrics/probes`, {
    request: `get the probe metrics of node ${node}`,
    ...(signal && { signal }),
  });
}
