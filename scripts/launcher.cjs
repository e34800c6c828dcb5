#!/usr/bin/env node
// Plain old JavaScript on purpose: a Node that cannot run the program must still be able to say so.
var have = process.versions.node.split('.').map(Number);
if (have[0] < 22 || (have[0] === 22 && have[1] < 19)) {
  process.stderr.write(
    'error: grpc-skew needs Node.js 22.19 or newer, but was started by ' +
      process.version +
      ' (' +
      process.execPath +
      '); install a newer Node.js or put one first on PATH\n',
  );
  process.exit(1);
}
import('./main.mjs').catch(function (error) {
  // The program's own faults are its own to tell.
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write(
    'error: this installation of grpc-skew is incomplete (' + error.message + '); install it again\n',
  );
  process.exit(1);
});
