/** The fields of a protobuf message that hold bytes, strings or messages, by number; others are skipped. */
export type Fields = ReadonlyMap<number, Buffer>;

const magic = Buffer.from('k8s\0');

/** The object within Kubernetes' protobuf envelope; null for anything else. */
export function unwrapProtobuf(body: Buffer): Fields | null {
  if (!body.subarray(0, magic.length).equals(magic)) return null;
  const raw = readFields(body.subarray(magic.length)).get(2);
  return raw ? readFields(raw) : null;
}

export function readFields(message: Buffer): Fields {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; at < message.length; shift += 7) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const wireType = tag & 7;
    if (wireType === 0) varint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else {
      const length = varint();
      fields.set(tag >> 3, message.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}
