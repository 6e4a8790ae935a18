// Loaded before an app (NODE_OPTIONS=--import): puts empty functions in place of everything that makes spans, as if the code
// had none. It says so once, so that a benchmark can see that it took effect.
import { registerHooks } from 'node:module';

const sources: Readonly<Record<string, string>> = {
  '/packages/tracing/dist/index.js': `
    export const ROOT_CONTEXT = undefined;
    export const SpanKind = {};
    export const carriedContext = () => undefined;
    export const carryContext = () => ({});
    export const linksOf = () => [];
    export const activePlace = () => undefined;
    export const inChildSpan = (_name, _options, work) => work();
    export const inSharedSpan = (_name, _places, work) => work();
    export const inSpan = (_name, _options, work) => work();
    export const openSpan = () => undefined;
    export const traceFields = () => ({});
    export const isTracing = () => false;
    export const samplerNames = ['parentbased_always_on'];
    export const startTracing = async () => ({ stop: async () => undefined });
    console.log('{"msg":"spans are taken out"}');`,
  '/packages/service/dist/request-spans.js': `
    export class RequestSpans {
      begin() {}
      run(_request, work) { work(); }
      end() {}
    }
    export const routeOf = (request) => (request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'));`,
};

registerHooks({
  load(url, context, nextLoad) {
    const source = Object.entries(sources).find(([path]) => url.endsWith(path))?.[1];
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
