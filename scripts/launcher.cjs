#!/usr/bin/env node
// Plain old JavaScript on purpose: a Node that cannot run the program must still be able to say so.
var have = process.versions.node.split('.').map(Number);
if (have[0] < 22 || (have[0] === 22 && have[1] < 19)) {
  process.stderr.write(
    'error: grpc-skew needs Node.js 22.19 or newer, but was started by ' +
      process.version +
      ' (' +
      process.execPath +
      '); ' +
      waysOut() +
      '\n',
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

function waysOut() {
  // Beside the sources there is the Node that the program is built with.
  var own = __dirname + '/../node_modules/.bin/node';
  // biome-ignore lint/style/useNodejsImportProtocol: Nodes before 14.18 do not know it
  if (require('fs').existsSync(own))
    return 'start it by ' + own + ' ' + __filename + ', or put a newer Node.js first on PATH';
  var npx = 'start it by npx --package=node@22 --package=kubectl-grpc-skew kubectl-grpc_skew';
  // There is no executable for macOS.
  if (process.platform === 'darwin') return npx;
  return 'take the executable, which brings its own (kubectl krew install grpc-skew), or ' + npx;
}
