"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
class Client {
  constructor(region) {
    this.region = region;
  }
  static named() {
    return "static";
  }
}
exports.default = Client;
exports.version = "1.2.3";
