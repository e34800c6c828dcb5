// The few messages of the lab, in protobuf's wire format: every field here is a string or bytes (wire type 2).

export const whoamiPath = '/lab.Echo/Whoami';
export const healthCheckPath = '/grpc.health.v1.Health/Check';

/** `HealthCheckResponse{status: SERVING}`. */
export const servingResponse: Buffer = Buffer.from([0x08, 0x01]);

/** `HealthCheckResponse{status: NOT_SERVING}`. */
export const notServingResponse: Buffer = Buffer.from([0x08, 0x02]);

/** `HealthCheckRequest{service = 1}`; "" asks for the whole server and takes no bytes. */
export function healthRequest(service: string): Buffer {
  return service === '' ? Buffer.alloc(0) : field(1, Buffer.from(service));
}

/** The service of a `HealthCheckRequest`. */
export function healthService(request: Buffer): string {
  return request.subarray(2).toString();
}

/** `WhoamiRequest{padding = 15}`; without padding it is empty, as in steady traffic. */
export function whoamiRequest(padding: number): Buffer {
  return padding > 0 ? field(15, Buffer.alloc(padding)) : Buffer.alloc(0);
}

/** `WhoamiResponse{pod = 1, padding = 15}`. */
export function whoamiResponse(pod: string, padding: number): Buffer {
  const name = field(1, Buffer.from(pod));
  return padding > 0 ? Buffer.concat([name, field(15, Buffer.alloc(padding))]) : name;
}

/** The pod that answered: field 1 comes first. */
export function answeredBy(response: Buffer): string {
  return response.subarray(2, 2 + (response[1] ?? 0)).toString();
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 0x7f) {
    bytes.push((left & 0x7f) | 0x80);
    left >>>= 7;
  }
  return Buffer.from([...bytes, left]);
}
