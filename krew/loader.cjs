// The start of the executable: loads the chunks of the bundle, which it holds as assets, as they are imported, with
// their code cache where there is one. Node.js itself loads only one file from inside an executable, and one file would
// be read, checked and linked to all of its modules at every start, `version` included.
const { getAssetKeys, getRawAsset } = require('node:sea');
const { pathToFileURL } = require('node:url');
const { SourceTextModule, SyntheticModule } = require('node:vm');
const { workerData } = require('node:worker_threads');

const here = pathToFileURL(process.execPath).href;
const assets = new Set(getAssetKeys());
const modules = new Map();
const started = new Map();

const isChunk = (specifier) => specifier.startsWith('./');

function moduleOf(specifier) {
  let module = modules.get(specifier);
  if (module !== undefined) return module;
  module = isChunk(specifier) ? chunk(specifier.slice(2)) : builtin(specifier);
  modules.set(specifier, module);
  if (isChunk(specifier)) module.linkRequests(module.moduleRequests.map((request) => moduleOf(request.specifier)));
  return module;
}

function chunk(name) {
  const source = Buffer.from(getRawAsset(name)).toString('utf8');
  const options = {
    identifier: name,
    initializeImportMeta: (meta) => {
      meta.url = here;
    },
    importModuleDynamically: start,
  };
  const cache = `${name}.cache`;
  if (!assets.has(cache)) return new SourceTextModule(source, options);
  try {
    return new SourceTextModule(source, { ...options, cachedData: Buffer.from(getRawAsset(cache)) });
  } catch (error) {
    // V8 refuses a cache that was made under other flags; it sets some by the machine that it runs on.
    if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    return new SourceTextModule(source, options);
  }
}

function builtin(specifier) {
  const exports = process.getBuiltinModule(specifier);
  const names = Object.keys(exports).filter((name) => name !== 'default');
  return new SyntheticModule(
    [...names, 'default'],
    function () {
      for (const name of names) this.setExport(name, exports[name]);
      this.setExport('default', exports);
    },
    { identifier: specifier },
  );
}

/** Links all that a chunk imports, runs it once, and answers the module when it has run. */
function start(specifier) {
  if (!started.has(specifier)) {
    const module = moduleOf(specifier);
    if (isChunk(specifier)) module.instantiate();
    started.set(
      specifier,
      module.evaluate().then(() => module),
    );
  }
  return started.get(specifier);
}

// A thread of the program begins with this file, too.
start(workerData?.start ?? './main.mjs');
