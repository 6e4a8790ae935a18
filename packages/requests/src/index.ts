export { readChartRequest, type ChartQuery } from './read-chart-request.js';
export { type ReadContext, type RequestInput, requestInputOf } from './read-context.js';
export { readListRequest } from './read-list-request.js';
export { readRequest, type ReadRequest } from './read-request.js';
