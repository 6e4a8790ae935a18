import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apps, containerOf, deploymentOf, envOf, find, render } from './render.mjs';

const { objects } = render('minimal');
const everything = render('everything').objects;
const podsOf = (all) =>
  all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(({ spec }) => spec.template.spec);

const jobOf = (set) => find(render('minimal', set).objects, 'Job');

describe('the pods', () => {
  it('meet the restricted Pod Security Standard, every container of them', () => {
    for (const pod of [...podsOf(objects), ...podsOf(everything)]) {
      assert.equal(pod.securityContext.runAsNonRoot, true);
      assert.equal(pod.securityContext.runAsUser, 65532);
      assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
      assert.equal(pod.automountServiceAccountToken, false);
      for (const { securityContext } of [...pod.initContainers, ...pod.containers]) {
        assert.equal(securityContext.allowPrivilegeEscalation, false);
        assert.equal(securityContext.readOnlyRootFilesystem, true);
        assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
      }
    }
  });

  it('take no variables of services: METRICS_PORT would be one', () => {
    for (const pod of podsOf(objects)) assert.equal(pod.enableServiceLinks, false);
  });

  it('hold no password: every secret is a reference to one that exists already', () => {
    assert.equal(
      everything.some(({ kind }) => kind === 'Secret'),
      false,
    );
    for (const pod of podsOf(everything)) {
      for (const { env } of [...pod.initContainers, ...pod.containers]) {
        for (const { name, value } of env) {
          if (/PASSWORD|SECRET|DATABASE_URL|REDIS_URL/.test(name)) assert.equal(value, undefined, name);
        }
      }
    }
  });

  it('are judged live by /livez alone and ready by /readyz', () => {
    for (const app of apps) {
      const { livenessProbe, readinessProbe, startupProbe } = containerOf(objects, app);
      assert.equal(livenessProbe.httpGet.path, '/livez');
      assert.equal(startupProbe.httpGet.path, '/livez');
      assert.equal(readinessProbe.httpGet.path, '/readyz');
    }
  });

  it('have longer to stop than hook, draining and requests under way together', () => {
    for (const app of apps) {
      const { terminationGracePeriodSeconds } = deploymentOf(objects, app).spec.template.spec;
      const env = envOf(containerOf(objects, app));
      const hookMs = Number(containerOf(objects, app).lifecycle?.preStop.exec.command[2].match(/, (\d+)\)/)[1] ?? 0);
      assert.ok(terminationGracePeriodSeconds * 1_000 > hookMs + +env.SHUTDOWN_DRAIN_MS + +env.SHUTDOWN_GRACE_MS);
    }
  });

  it('wait for the schema of the stores they use and run no DDL', () => {
    const waits = apps.map((app) => deploymentOf(objects, app).spec.template.spec.initContainers);
    assert.deepEqual(
      waits.map(([{ args }]) => args),
      [
        ['/app/wait-for-schema.mjs', 'postgres'],
        ...apps.slice(1).map(() => ['/app/wait-for-schema.mjs', 'clickhouse', 'postgres']),
      ],
    );
    for (const app of apps) assert.equal(JSON.stringify(deploymentOf(objects, app)).includes('migrate.js'), false);
  });

  it('give numbers to the apps as digits, never as 1e+06', () => {
    const { objects: set } = render('minimal', {
      'aggregator.settings': { INGEST_ROUND_LEGS_MAX: 200_000 },
      'metrics.settings': { LIST_PINS_BYTES_MAX: 67_108_864, BALANCES_COMPLETE: '1' },
    });
    assert.equal(envOf(containerOf(set, 'aggregator')).INGEST_ROUND_LEGS_MAX, '200000');
    assert.equal(envOf(containerOf(set, 'metrics')).LIST_PINS_BYTES_MAX, '67108864');
  });

  it('name an aggregator after its pod, for the group to know its dead predecessor by', () => {
    const instances = apps.map((app) => envOf(containerOf(objects, app)).CONSUMER_INSTANCE);
    assert.deepEqual(instances, [undefined, undefined, undefined, { fieldPath: 'metadata.name' }]);
  });

  it('name no variable twice', () => {
    for (const pod of [...podsOf(objects), ...podsOf(everything)]) {
      for (const { name, env } of [...pod.initContainers, ...pod.containers]) {
        assert.equal(new Set(env.map((one) => one.name)).size, env.length, name);
      }
    }
  });

  it('read Kafka with TLS, a client certificate and a login, and mount what they read', () => {
    const aggregator = containerOf(everything, 'aggregator');
    const env = envOf(aggregator);
    assert.equal(env.KAFKA_TLS_CERT_FILE, '/etc/kafka-tls/tls.crt');
    assert.equal(env.SOURCE_KAFKA_TLS_CA_FILE, '/etc/source-kafka-tls/ca.crt');
    assert.equal(env.SOURCE_KAFKA_SASL_MECHANISM, 'plain');
    assert.deepEqual(env.SOURCE_KAFKA_SASL_PASSWORD, { name: 'feed', key: 'password' });
    assert.equal(env.NODE_EXTRA_CA_CERTS, '/etc/ca-bundle/ca.crt');
    const mounts = aggregator.volumeMounts.map(({ mountPath }) => mountPath);
    const own = ['/etc/kafka-tls', '/etc/source-kafka-tls'];
    assert.deepEqual(mounts, ['/tmp', '/etc/ca-bundle', '/etc/postgres-tls', ...own]);
    for (const pod of podsOf(everything)) {
      for (const { name, volumeMounts } of [...pod.initContainers, ...pod.containers]) {
        assert.ok(
          volumeMounts.some(({ mountPath }) => mountPath === '/etc/postgres-tls'),
          name,
        );
      }
    }
  });
});

describe('the migration', () => {
  it('is an ordinary Job whose name follows what it does, so that each change runs once', () => {
    const first = jobOf({});
    assert.equal(first.metadata.annotations, undefined);
    assert.equal(jobOf({}).metadata.name, first.metadata.name);
    assert.notEqual(jobOf({ 'image.tag': '9.9.9' }).metadata.name, first.metadata.name);
    assert.notEqual(jobOf({ 'migration.rerun': 'again' }).metadata.name, first.metadata.name);
    assert.equal(jobOf({ 'gateway.replicaCount': 5 }).metadata.name, first.metadata.name);
  });

  it('keeps its template free of versions of the chart, since a template of a Job cannot change', () => {
    assert.deepEqual(Object.keys(jobOf({}).spec.template.metadata.labels).sort(), [
      'app.kubernetes.io/component',
      'app.kubernetes.io/instance',
      'app.kubernetes.io/name',
    ]);
  });

  it('runs as the users that may change tables, and ClickHouse last, which aggregators wait for', () => {
    const pod = find(everything, 'Job').spec.template.spec;
    assert.deepEqual(
      pod.initContainers.map(({ name }) => name),
      ['topics', 'postgres'],
    );
    assert.deepEqual(envOf(pod.containers[0]).CLICKHOUSE_PASSWORD, { name: 'clickhouse-ddl', key: 'password' });
    assert.equal(envOf(pod.containers[0]).CLICKHOUSE_USER, 'jetton_analytics_ddl');
    assert.deepEqual(envOf(pod.initContainers[1]).DATABASE_URL, { name: 'postgres-owner', key: 'url' });
    assert.equal(envOf(containerOf(everything, 'statistics')).CLICKHOUSE_USER, 'jetton_analytics_query');
    assert.equal(envOf(containerOf(everything, 'aggregator')).CLICKHOUSE_USER, 'jetton_analytics');
  });

  it('makes the rollup topics as the aggregator is told to write them', () => {
    const job = jobOf({ 'aggregator.settings': { ROLLUP_TOPIC_PREFIX: 'ours.', ROLLUP_PARTITIONS: 8 } });
    const env = envOf(job.spec.template.spec.initContainers[0]);
    assert.equal(env.ROLLUP_TOPIC_PREFIX, 'ours.');
    assert.equal(env.ROLLUP_PARTITIONS, '8');
  });

  it('makes topics of the feed only where asked, and can be left out', () => {
    assert.equal(JSON.stringify(jobOf({})).includes('CREATE_FEED_TOPICS'), false);
    const made = jobOf({ 'migration.createFeedTopics': true, 'topics.tradesPartitions': 4 });
    assert.equal(envOf(made.spec.template.spec.initContainers[0]).FEED_PARTITIONS, '4');
    assert.equal(jobOf({ 'migration.enabled': false }), undefined);
  });
});
