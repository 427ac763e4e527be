import type { Scenario } from "../scenario.ts";
import { withAws } from "./aws.ts";
import { axiosInNode } from "./axios-in-node.ts";
import { withAxios } from "./axios.ts";
import { withOctokit } from "./github.ts";
import { checks } from "./checks.ts";
import { clients } from "./clients.ts";
import { families } from "./families.ts";
import { withGoogle } from "./google.ts";
import { withGraphql } from "./graphql.ts";
import { interop } from "./interop.ts";
import { withLibraries } from "./libraries.ts";
import { withMail } from "./mail.ts";
import { withOffice } from "./office.ts";
import { withPayments } from "./payments.ts";
import { plain } from "./plain.ts";
import { withPlatform } from "./platform.ts";
import { onceRefused } from "./refused.ts";
import { withSlack } from "./slack.ts";
import { withSdks } from "./sdks.ts";
import { signing } from "./signing.ts";
import { streamFlows } from "./stream-flows.ts";
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
  ...interop,
  ...clients,
  ...streamFlows,
  ...checks,
  ...signing,
  ...families,
  ...withSdks,
  ...onceRefused,
];
