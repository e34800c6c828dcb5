/** Apart from the schema, which few commands need and every one would pay for loading. */
export const evidenceApiVersion = 'grpc-skew/v1alpha1';
