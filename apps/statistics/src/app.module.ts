import { AddressBookWriter, ReadModel, ReadModelModule } from '@jetton-analytics/read-model';
import { SETTINGS } from '@jetton-analytics/service';
import { Module } from '@nestjs/common';
import { ChangeListsController } from './change-lists/change-lists.controller.js';
import type { Env } from './env.js';
import { JettonItems } from './items/jetton-items.js';
import { JettonStatisticsController } from './jetton-statistics/jetton-statistics.controller.js';
import { MarketStatisticsController } from './market-statistics/market-statistics.controller.js';
import { listWalks } from './statistics-list/list-walks.js';
import { StatisticsListController } from './statistics-list/statistics-list.controller.js';
import { StatusController } from './status/status.controller.js';
import { TradingVolumeController } from './trading-volume/trading-volume.controller.js';

@Module({
  imports: [ReadModelModule.with({ application: 'statistics' })],
  controllers: [
    StatisticsListController,
    JettonStatisticsController,
    MarketStatisticsController,
    ChangeListsController,
    TradingVolumeController,
    StatusController,
  ],
  providers: [
    JettonItems,
    ...listWalks,
    {
      provide: AddressBookWriter,
      inject: [SETTINGS, ReadModel],
      useFactory: (settings: Env, model: ReadModel) =>
        new AddressBookWriter({
          network: settings.NETWORK,
          nameOf: (address) => model.row(address)?.metadata.name,
        }),
    },
  ],
})
export class AppModule {}
