import { DataSource } from 'typeorm';
import { ApiKeyChange } from './access/api-key-change.entity.js';
import { ApiKey } from './access/api-key.entity.js';
import { PlanChange } from './access/plan-change.entity.js';
import { Plan } from './access/plan.entity.js';
import { FxRateChange } from './fx-rate-change.entity.js';
import { FxRate } from './fx-rate.entity.js';
import { JettonLabelChange } from './jetton-label-change.entity.js';
import { JettonLabel } from './jetton-label.entity.js';
import { JettonMetadataMessage } from './jetton-metadata-message.entity.js';
import { JettonMetadata } from './jetton-metadata.entity.js';
import { CreateJettonLabels1795219200000 } from './migrations/1795219200000-create-jetton-labels.js';
import { CreateJettonMetadata1795300000000 } from './migrations/1795300000000-create-jetton-metadata.js';
import { CreateFxRates1795310000000 } from './migrations/1795310000000-create-fx-rates.js';
import { CreateApiKeys1795320000000 } from './migrations/1795320000000-create-api-keys.js';
import { CreateOperatorChanges1795330000000 } from './migrations/1795330000000-create-operator-changes.js';
import { BackfillFile } from './operations/backfill-file.entity.js';
import { DeadLetterRedrive } from './operations/dead-letter-redrive.entity.js';
import { OperatorChange } from './operations/operator-change.entity.js';

export interface DataSourceOptions {
  /** Shown by the server for each connection. */
  readonly application: string;
  /** Connections at most. */
  readonly connectionsMax?: number;
  /** Deadline of one statement. */
  readonly statementTimeoutMs?: number;
}

const connectTimeoutMs = 5_000;

/**
 * A TypeORM data source with all entities and migrations; connects on `initialize()`. The schema is changed by
 * migrations alone. Throws nothing.
 */
export function createDataSource(
  url: string,
  { application, connectionsMax = 10, statementTimeoutMs = 10_000 }: DataSourceOptions,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: application,
    connectTimeoutMS: connectTimeoutMs,
    poolSize: connectionsMax,
    // The second bound is the client's: it also ends the wait for a server that has stopped answering.
    extra: { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 1_000 },
    entities: [
      ApiKey,
      ApiKeyChange,
      BackfillFile,
      DeadLetterRedrive,
      OperatorChange,
      Plan,
      PlanChange,
      FxRate,
      FxRateChange,
      JettonLabel,
      JettonLabelChange,
      JettonMetadata,
      JettonMetadataMessage,
    ],
    migrations: [
      CreateJettonLabels1795219200000,
      CreateJettonMetadata1795300000000,
      CreateFxRates1795310000000,
      CreateApiKeys1795320000000,
      CreateOperatorChanges1795330000000,
    ],
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    migrationsRun: false,
    logging: false,
  });
}
