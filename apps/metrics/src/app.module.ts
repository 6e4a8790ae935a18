import { AddressBookWriter, ReadModel, ReadModelModule } from '@jetton-analytics/read-model';
import { SETTINGS } from '@jetton-analytics/service';
import { Module } from '@nestjs/common';
import { JettonTexts } from './answers/jetton-text.js';
import { KnownAssets } from './answers/known-assets.js';
import { ChartPreviewsController } from './chart-previews/chart-previews.controller.js';
import type { Env } from './env.js';
import { HistoryStore } from './history/history-store.js';
import { JettonDetailsController } from './jetton-details/jetton-details.controller.js';
import { MetricsListController } from './jetton-metrics/metrics-list.controller.js';
import { JettonPointsController } from './jetton-points/jetton-points.controller.js';
import { JettonsController } from './jettons/jettons.controller.js';
import { LastTrades } from './markets/last-trades.js';
import { MarketsController } from './markets/markets.controller.js';
import { PriceChartController } from './price-chart/price-chart.controller.js';
import { RefreshRates } from './rates/refresh-rates.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { walks } from './walks/list-walks.js';

@Module({
  imports: [ReadModelModule.with({ application: 'metrics' })],
  controllers: [
    JettonsController,
    MetricsListController,
    JettonDetailsController,
    JettonPointsController,
    MarketsController,
    TransactionsController,
    PriceChartController,
    ChartPreviewsController,
  ],
  providers: [
    HistoryStore,
    KnownAssets,
    LastTrades,
    RefreshRates,
    ...walks,
    {
      provide: JettonTexts,
      inject: [SETTINGS],
      useFactory: ({ PUBLIC_URL }: Env) => new JettonTexts(PUBLIC_URL),
    },
    {
      provide: AddressBookWriter,
      inject: [SETTINGS, ReadModel],
      useFactory: ({ NETWORK }: Env, model: ReadModel) =>
        new AddressBookWriter({ network: NETWORK, nameOf: (address) => model.row(address)?.metadata.name }),
    },
  ],
})
export class AppModule {}
