export * from "@x/model/errors";
