import type { Scenario } from "../scenario.ts";
import { withAws } from "./aws.ts";
import { axiosInNode } from "./axios-in-node.ts";
import { withAxios } from "./axios.ts";
import { withOctokit } from "./github.ts";
import { withGoogle } from "./google.ts";
import { withGraphql } from "./graphql.ts";
import { withLibraries } from "./libraries.ts";
import { withMail } from "./mail.ts";
import { withOffice } from "./office.ts";
import { withPayments } from "./payments.ts";
import { plain } from "./plain.ts";
import { withPlatform } from "./platform.ts";
import { withSlack } from "./slack.ts";
import { utilities } from "./utilities.ts";

export const scenarios: readonly Scenario[] = [
  ...plain,
  ...utilities,
  ...withPlatform,
  ...withAxios,
  ...axiosInNode,
  ...withLibraries,
  ...withOctokit,
  ...withGraphql,
  ...withGoogle,
  ...withSlack,
  ...withAws,
  ...withPayments,
  ...withMail,
  ...withOffice,
];
