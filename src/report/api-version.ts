/** Apart from the schema, which few commands need and every one would pay for loading. */
export const reportApiVersion = 'grpc-skew/v1alpha1';
