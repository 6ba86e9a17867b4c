// temporary
#pragma once
namespace forewarp {
namespace base {}
namespace result {}
namespace study {}
namespace store {
using namespace base;
using namespace result;
using namespace study;
}  // namespace store
namespace cli {
using namespace store;
}
namespace tests {
using namespace store;
}
}  // namespace forewarp
