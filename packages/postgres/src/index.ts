export { createDataSource, type DataSourceOptions } from './data-source.js';
export { JettonLabelChange } from './jetton-label-change.entity.js';
export { JettonLabel } from './jetton-label.entity.js';
export { JettonMetadataMessage } from './jetton-metadata-message.entity.js';
export { JettonMetadata, type JettonMetadataLink } from './jetton-metadata.entity.js';
export { migrate } from './migrate.js';
export { postgresSettings } from './settings.js';
