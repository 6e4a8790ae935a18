// Started by bench:read: the same answer from a plain Nest controller that returns objects. It holds what it was last given
// by POST, parsed.
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

@Controller()
class AnswerController {
  #answer: object = {};

  @Post()
  @HttpCode(204)
  keep(@Body() answer: object): void {
    this.#answer = answer;
  }

  @Get()
  read(): object {
    return this.#answer;
  }
}

@Module({ controllers: [AnswerController] })
class PlainModule {}

const adapter = new FastifyAdapter({ bodyLimit: 16 * 1024 * 1024 });
const app = await NestFactory.create<NestFastifyApplication>(PlainModule, adapter, { logger: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
