/** What can choose a pod for each call, as --mesh names it; a gateway needs no mesh. */
export const meshes = ['istio', 'linkerd', 'cilium', 'gateway'] as const;
export type Mesh = (typeof meshes)[number];
