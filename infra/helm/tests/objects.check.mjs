import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { apps, deploymentOf, find, render } from './render.mjs';

const { objects } = render('minimal');
const everything = render('everything').objects;

const policyOf = (app) => find(objects, 'NetworkPolicy', `-${app}`).spec;

describe('scaling', () => {
  it('leaves the number of replicas to the autoscalers where they are on', () => {
    for (const app of apps) assert.equal(deploymentOf(everything, app).spec.replicas, undefined);
    assert.deepEqual(
      apps.map((app) => deploymentOf(objects, app).spec.replicas),
      [2, 2, 2, 1],
    );
  });

  it('scales the aggregator by the lag of the cluster the feed is on, with its login', () => {
    const { triggers, maxReplicaCount } = find(everything, 'ScaledObject').spec;
    assert.equal(maxReplicaCount, 8);
    assert.equal(triggers[0].metadata.bootstrapServers, 'feed.example.org:9093');
    assert.equal(triggers[0].metadata.sasl, 'plaintext');
    assert.equal(triggers[0].authenticationRef.name, find(everything, 'TriggerAuthentication').metadata.name);
  });

  it('makes a disruption budget where there is more than one replica, and none that blocks a single one', () => {
    assert.deepEqual(
      objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ metadata }) => metadata.name),
      ['gateway', 'metrics', 'statistics'].map((app) => `ja-jetton-analytics-${app}`),
    );
  });
});

describe('the network', () => {
  it('lets only the gateway reach the query apps, and nobody the requests port of an aggregator', () => {
    for (const app of ['statistics', 'metrics']) {
      const [{ ports, from }] = policyOf(app).ingress;
      assert.equal(ports[0].port, 'http');
      assert.equal(from[0].podSelector.matchLabels['app.kubernetes.io/component'], 'gateway');
    }
    assert.deepEqual(
      policyOf('aggregator').ingress.map(({ ports }) => ports[0].port),
      ['metrics'],
    );
  });

  it('shows metrics by no service of an app', () => {
    const services = everything.filter(({ kind }) => kind === 'Service');
    assert.deepEqual(
      services.map(({ metadata, spec }) => [
        metadata.name.replace('ja-jetton-analytics-', ''),
        spec.ports.map(({ name }) => name).join(),
      ]),
      [
        ['gateway', 'http'],
        ['metrics', 'http'],
        ['statistics', 'http'],
        ['monitoring', 'metrics'],
      ],
    );
  });

  it('finds the pods of every app by the service of the metrics, and not those of the migration', () => {
    const { selector } = find(objects, 'Service', '-monitoring').spec;
    const matches = ({ labels }) => Object.entries(selector).every(([name, value]) => labels[name] === value);
    for (const app of apps) assert.ok(matches(deploymentOf(objects, app).spec.template.metadata));
    assert.equal(matches(find(objects, 'Job').spec.template.metadata), false);
  });
});

describe('monitoring', () => {
  it('carries the rules as they are tested, and every dashboard', () => {
    const rules = parse(readFileSync(new URL('../../alerts/jetton-analytics.rules.yaml', import.meta.url), 'utf8'));
    assert.deepEqual(find(everything, 'PrometheusRule').spec, rules);
    for (const file of readdirSync(new URL('../../grafana/', import.meta.url))) {
      const map = find(everything, 'ConfigMap', `-dashboard-${file.replace('.json', '')}`);
      assert.deepEqual(
        JSON.parse(map.data[file]),
        JSON.parse(readFileSync(new URL(`../../grafana/${file}`, import.meta.url), 'utf8')),
      );
    }
  });

  it('names the component, which the rules select by, from the label of the pod', () => {
    const [{ relabelings }] = find(everything, 'ServiceMonitor').spec.endpoints;
    assert.equal(relabelings[0].targetLabel, 'component');
  });
});

it('further objects are filled in', () => {
  assert.equal(find(everything, 'ConfigMap', '-extra').data.release, 'ja');
});

it('images are taken by digest where one is given', () => {
  const { objects: pinned } = render('air-gapped');
  assert.match(
    deploymentOf(pinned, 'gateway').spec.template.spec.containers[0].image,
    /^registry\.internal:5000\/mirror\/jetton-analytics\/gateway@sha256:0+1$/,
  );
});
